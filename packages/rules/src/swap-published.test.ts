import { describe, expect, test } from 'vitest'
import { quoteExactIn, quoteExactOut } from './swap.ts'
import { DIRECTIONS, poolOf } from './testing/swaps.ts'

/**
 * Figures that other projects published for the same curve, in tests of their contracts; each row names its source. None
 * of them sends a part of the fee out of the pool with the swap, so there is no revenue here.
 */

const UNISWAP = { totalBps: 30n, revenueBps: 0n }
const PANCAKESWAP = { totalBps: 25n, revenueBps: 0n }
const E18 = 10n ** 18n

const PAIR_SPEC = 'Uniswap v2-core, UniswapV2Pair.spec, getInputPrice'
const ROUTER_SPEC = 'Uniswap v2-periphery, UniswapV2Router02.spec'
const PANCAKE_SDK = 'PancakeSwap swap-sdk, entities.test, Trade'
const SYNCSWAP_SPEC = 'SyncSwapPair.spec, getInputPrice:customFee (setSwapFeeOverride 25)'

/** Source, fees, amount in, reserve sold, reserve bought, amount out. */
const SOLD: [string, typeof UNISWAP, bigint, bigint, bigint, bigint][] = [
  [`${PAIR_SPEC}:0`, UNISWAP, 1n * E18, 5n * E18, 10n * E18, 1_662_497_915_624_478_906n],
  [`${PAIR_SPEC}:1`, UNISWAP, 1n * E18, 10n * E18, 5n * E18, 453_305_446_940_074_565n],
  [`${PAIR_SPEC}:2`, UNISWAP, 2n * E18, 5n * E18, 10n * E18, 2_851_015_155_847_869_602n],
  [`${PAIR_SPEC}:3`, UNISWAP, 2n * E18, 10n * E18, 5n * E18, 831_248_957_812_239_453n],
  [`${PAIR_SPEC}:4`, UNISWAP, 1n * E18, 10n * E18, 10n * E18, 906_610_893_880_149_131n],
  [`${PAIR_SPEC}:5`, UNISWAP, 1n * E18, 100n * E18, 100n * E18, 987_158_034_397_061_298n],
  [`${PAIR_SPEC}:6`, UNISWAP, 1n * E18, 1_000n * E18, 1_000n * E18, 996_006_981_039_903_216n],
  [`${ROUTER_SPEC}, getAmountOut`, UNISWAP, 2n, 100n, 100n, 1n],
  [`${ROUTER_SPEC}, getAmountsOut`, UNISWAP, 2n, 10_000n, 10_000n, 1n],
  [`${PANCAKE_SDK} EXACT_INPUT`, PANCAKESWAP, 1n * E18, 5n * E18, 10n * E18, 1_663_192_997_082_117_548n],
  [`${SYNCSWAP_SPEC}:0`, PANCAKESWAP, 1n * E18, 5n * E18, 10n * E18, 1_663_192_997_082_117_548n],
  [`${SYNCSWAP_SPEC}:1`, PANCAKESWAP, 1n * E18, 10n * E18, 5n * E18, 453_512_161_854_967_037n],
  [`${SYNCSWAP_SPEC}:2`, PANCAKESWAP, 2n * E18, 5n * E18, 10n * E18, 2_852_037_169_406_719_085n],
  [`${SYNCSWAP_SPEC}:3`, PANCAKESWAP, 2n * E18, 10n * E18, 5n * E18, 831_596_498_541_058_774n],
  [`${SYNCSWAP_SPEC}:4`, PANCAKESWAP, 1n * E18, 10n * E18, 10n * E18, 907_024_323_709_934_075n],
  [`${SYNCSWAP_SPEC}:5`, PANCAKESWAP, 1n * E18, 100n * E18, 100n * E18, 987_648_209_114_086_982n],
  [`${SYNCSWAP_SPEC}:6`, PANCAKESWAP, 1n * E18, 1_000n * E18, 1_000n * E18, 996_505_985_279_683_515n],
]

/** Source, fees, amount out, reserve sold, reserve bought, amount in. */
const BOUGHT: [string, typeof UNISWAP, bigint, bigint, bigint, bigint][] = [
  [`${ROUTER_SPEC}, getAmountIn`, UNISWAP, 1n, 100n, 100n, 2n],
  [`${ROUTER_SPEC}, getAmountsIn`, UNISWAP, 1n, 10_000n, 10_000n, 2n],
  [
    'Uniswap v2-periphery, UniswapV2Router01.spec, swapTokensForExactTokens',
    UNISWAP,
    1n * E18,
    5n * E18,
    10n * E18,
    557_227_237_267_357_629n,
  ],
  [`${PANCAKE_SDK} EXACT_OUTPUT`, PANCAKESWAP, 1_663_192_997_082_117_548n, 5n * E18, 10n * E18, 1n * E18],
  ['DXswapRouter.spec, swapTokensForExactTokens', PANCAKESWAP, 1n * E18, 5n * E18, 10n * E18, 556_947_925_368_978_001n],
]

/** Source, amounts and reserves that the published contracts refuse with an error. */
const REFUSED_SALES: [string, bigint, bigint, bigint][] = [
  ['INSUFFICIENT_INPUT_AMOUNT', 0n, 100n, 100n],
  ['INSUFFICIENT_LIQUIDITY, nothing of the asset sold', 2n, 0n, 100n],
  ['INSUFFICIENT_LIQUIDITY, nothing of the asset bought', 2n, 100n, 0n],
]
const REFUSED_PURCHASES: [string, bigint, bigint, bigint][] = [
  ['INSUFFICIENT_OUTPUT_AMOUNT', 0n, 100n, 100n],
  ['INSUFFICIENT_LIQUIDITY, nothing of the asset sold', 1n, 0n, 100n],
  ['INSUFFICIENT_LIQUIDITY, nothing of the asset bought', 1n, 100n, 0n],
]

describe.each(DIRECTIONS)('published figures, %s', (direction) => {
  test.each(SOLD)('%s', (_source, fees, amountIn, reserveIn, reserveOut, amountOut) => {
    const quote = quoteExactIn({ reserves: poolOf(reserveIn, reserveOut, direction), direction, amountIn, fees })
    expect(quote).toMatchObject({ amountOut, revenue: 0n })
    expect(quote?.reservesAfter).toEqual(poolOf(reserveIn + amountIn, reserveOut - amountOut, direction))
  })

  test.each(BOUGHT)('%s', (_source, fees, amountOut, reserveIn, reserveOut, amountIn) => {
    const quote = quoteExactOut({ reserves: poolOf(reserveIn, reserveOut, direction), direction, amountOut, fees })
    expect(quote).toMatchObject({ amountIn, amountOut })
  })

  test.each(REFUSED_SALES)(
    `a sale that ${ROUTER_SPEC}, getAmountOut refuses has no quote: %s`,
    (_error, amountIn, x, y) => {
      expect(quoteExactIn({ reserves: poolOf(x, y, direction), direction, amountIn, fees: UNISWAP })).toBeUndefined()
    },
  )

  test.each(REFUSED_PURCHASES)(
    `a purchase that ${ROUTER_SPEC}, getAmountIn refuses has no quote: %s`,
    (_error, amountOut, x, y) => {
      expect(quoteExactOut({ reserves: poolOf(x, y, direction), direction, amountOut, fees: UNISWAP })).toBeUndefined()
    },
  )
})

test('charges one unit less than the published formula without a remainder', () => {
  // Uniswap v2 and PancakeSwap v2: getAmountIn cuts and adds one. Without a fee, 100 of 200 cost exactly all of the other.
  const free = { totalBps: 0n, revenueBps: 0n }
  const quote = quoteExactOut({
    reserves: { base: 300n, quote: 200n },
    direction: 'base_to_quote',
    amountOut: 100n,
    fees: free,
  })
  expect(quote).toMatchObject({ amountIn: 300n, amountOut: 100n })
})
