import { describe, expect, test } from 'vitest'
import { quoteExactIn, quoteExactOut } from './swap.ts'
import { DIRECTIONS, poolOf } from './testing/swaps.ts'

const fees = { totalBps: 25n, revenueBps: 8n }

/**
 * Source of every figure: Python's `fractions.Fraction` solving the curve (rIn + net)·(rOut - out) = rIn·rOut with
 * net = amountIn·9975/10000 for out, then floor; mid = floor(amountIn·rOut/rIn); fee = ceil(25 bps); revenue = floor(8 bps);
 * impact = ceil(10^18·(1 - floor(out)/(net·rOut/rIn))). No line of it is PancakeSwap's integer formula.
 *
 * name, reserve sold, reserve bought, amount in, out, out at mid, fee, revenue, impact
 */
const GOLDEN: [string, bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint][] = [
  [
    'BNB/USDT pool of 1,000 BNB, sell 1 BNB',
    1_000_000_000_000_000_000_000n,
    600_000_000_000_000_000_000_000n,
    1_000_000_000_000_000_000n,
    597_903_591_167_810_109_415n,
    600_000_000_000_000_000_000n,
    2_500_000_000_000_000n,
    800_000_000_000_000n,
    996_505_985_279_684n,
  ],
  [
    'sell 10 BNB',
    1_000_000_000_000_000_000_000n,
    600_000_000_000_000_000_000_000n,
    10_000_000_000_000_000_000n,
    5_925_889_254_684_521_894_106n,
    6_000_000_000_000_000_000_000n,
    25_000_000_000_000_000n,
    8_000_000_000_000_000n,
    9_876_482_091_140_870n,
  ],
  [
    'sell a tenth of the pool',
    1_000_000_000_000_000_000_000n,
    600_000_000_000_000_000_000_000n,
    100_000_000_000_000_000_000n,
    54_421_459_422_596_044_555_580n,
    60_000_000_000_000_000_000_000n,
    250_000_000_000_000_000n,
    80_000_000_000_000_000n,
    90_702_432_370_993_408n,
  ],
  [
    'sell as much as the pool holds',
    1_000_000_000_000_000_000_000n,
    600_000_000_000_000_000_000_000n,
    1_000_000_000_000_000_000_000n,
    299_624_530_663_329_161_451_814n,
    600_000_000_000_000_000_000_000n,
    2_500_000_000_000_000_000n,
    800_000_000_000_000_000n,
    499_374_217_772_215_270n,
  ],
  [
    'sell a thousand times the pool',
    1_000_000_000_000_000_000_000n,
    600_000_000_000_000_000_000_000n,
    1_000_000_000_000_000_000_000_000n,
    599_399_098_647_971_957_936_905n,
    600_000_000_000_000_000_000_000_000n,
    2_500_000_000_000_000_000_000n,
    800_000_000_000_000_000_000n,
    998_998_497_746_619_930n,
  ],
  [
    'buy with 600 USDT',
    600_000_000_000_000_000_000_000n,
    1_000_000_000_000_000_000_000n,
    600_000_000_000_000_000_000n,
    996_505_985_279_683_515n,
    1_000_000_000_000_000_000n,
    1_500_000_000_000_000_000n,
    480_000_000_000_000_000n,
    996_505_985_279_685n,
  ],
  [
    'buy with 123.456789012345678901 USDT',
    600_000_000_000_000_000_000_000n,
    1_000_000_000_000_000_000_000n,
    123_456_789_012_345_678_901n,
    205_204_794_082_766_392n,
    205_761_315_020_576_131n,
    308_641_972_530_864_198n,
    98_765_431_209_876_543n,
    205_204_794_082_767n,
  ],
  [
    'uneven reserves',
    1_234_567_890_123_456_789_012n,
    987_654_321_098_765_432_109n,
    31_415_926_535_897_932_384n,
    24_449_305_940_726_309_614n,
    25_132_741_457_740_452_437n,
    78_539_816_339_744_831n,
    25_132_741_228_718_345n,
    24_754_922_262_200_460n,
  ],
  ['equal tiny reserves', 1_000n, 1_000n, 100n, 90n, 100n, 1n, 0n, 97_744_360_902_255_640n],
  ['smallest trade that pays one unit', 1_000n, 1_000n, 2n, 1n, 2n, 1n, 0n, 498_746_867_167_919_800n],
  [
    'a trade of one unit into a rich side',
    1n,
    1_000_000_000_000_000_000_000_000_000_000n,
    1n,
    499_374_217_772_215_269_086_357_947_434n,
    1_000_000_000_000_000_000_000_000_000_000n,
    1n,
    0n,
    499_374_217_772_215_270n,
  ],
  [
    'six decimals against eighteen',
    500_000_000_000n,
    1_000_000_000_000_000_000_000n,
    1_000_000n,
    1_994_996_019_982_940n,
    2_000_000_000_000_000n,
    2_500n,
    800n,
    1_994_996_020_051n,
  ],
  [
    'eighteen decimals against six',
    1_000_000_000_000_000_000_000n,
    500_000_000_000n,
    1_000_000_000_000_000_000n,
    498_252_992n,
    500_000_000n,
    2_500_000_000_000_000n,
    800_000_000_000_000n,
    996_507_268_170_427n,
  ],
  [
    'RT pool, sell 250 RT',
    1_000_000_000_000_000_000_000_000n,
    50_000_000_000_000_000_000_000n,
    250_000_000_000_000_000_000n,
    12_465_641_380_680_692_752n,
    12_500_000_000_000_000_000n,
    625_000_000_000_000_000n,
    200_000_000_000_000_000n,
    249_312_827_613_614n,
  ],
  [
    'a pool of 10^30 units',
    1_000_000_000_000_000_000_000_000_000_000n,
    3_000_000_000_000_000_000_000_000_000_000n,
    7_000_000_000_000_000_000_000_000_000n,
    20_802_248_301_236_615_333_434_295_034n,
    21_000_000_000_000_000_000_000_000_000n,
    17_500_000_000_000_000_000_000_000n,
    5_600_000_000_000_000_000_000_000n,
    6_934_082_767_078_872n,
  ],
]

/** Source as above, the same curve solved for amountIn, then ceil. name, reserve sold, reserve bought, wanted, in, out */
const GOLDEN_EXACT_OUT: [string, bigint, bigint, bigint, bigint, bigint][] = [
  [
    'buy 1 USDT of BNB side',
    1_000_000_000_000_000_000_000n,
    600_000_000_000_000_000_000_000n,
    1_000_000_000_000_000_000n,
    1_670_846_560_851_203n,
    1_000_000_000_000_000_546n,
  ],
  [
    'buy 599.5 USDT',
    1_000_000_000_000_000_000_000n,
    600_000_000_000_000_000_000_000n,
    599_500_000_000_000_000_000n,
    1_002_672_680_896_435_957n,
    599_500_000_000_000_000_441n,
  ],
  [
    'half the pool',
    1_000_000_000_000_000_000_000n,
    600_000_000_000_000_000_000_000n,
    300_000_000_000_000_000_000_000n,
    1_002_506_265_664_160_401_003n,
    300_000_000_000_000_000_000_073n,
  ],
  ['all but one unit', 1_000n, 1_000n, 999n, 1_001_504n, 999n],
  ['one unit of a tiny pool', 1_000n, 1_000n, 1n, 2n, 1n],
  [
    'one unit of a rich side',
    1n,
    1_000_000_000_000_000_000_000_000_000_000n,
    1n,
    1n,
    499_374_217_772_215_269_086_357_947_434n,
  ],
  [
    '1 BNB for USDT',
    600_000_000_000_000_000_000_000n,
    1_000_000_000_000_000_000_000n,
    1_000_000_000_000_000_000n,
    602_105_865_263_760_000_603n,
    1_000_000_000_000_000_000n,
  ],
]

describe.each(DIRECTIONS)('quoteExactIn %s', (direction) => {
  test.each(GOLDEN)('%s', (_name, reserveIn, reserveOut, amountIn, amountOut, atMid, fee, revenue, impact) => {
    expect(quoteExactIn({ reserves: poolOf(reserveIn, reserveOut, direction), direction, amountIn, fees })).toEqual({
      amountIn,
      amountOut,
      amountOutAtMid: atMid,
      fee,
      revenue,
      priceImpactE18: impact,
      reservesAfter: poolOf(reserveIn + amountIn - revenue, reserveOut - amountOut, direction),
    })
  })

  test.each(GOLDEN)('%s: the pair contract pays exactly this, not one unit more', (_n, rIn, rOut, amountIn, out) => {
    expect(pairContractAccepts(rIn, rOut, amountIn, out)).toBe(true)
    expect(pairContractAccepts(rIn, rOut, amountIn, out + 1n)).toBe(false)
  })

  test.each(GOLDEN_EXACT_OUT)(
    'buying %s costs the expected sale',
    (_name, reserveIn, reserveOut, wanted, amountIn, amountOut) => {
      const reserves = poolOf(reserveIn, reserveOut, direction)
      expect(quoteExactOut({ reserves, direction, amountOut: wanted, fees })).toMatchObject({ amountIn, amountOut })
    },
  )
})

/** PancakePair.swap's own check (`Pancake: K`), which knows nothing of the library's formula. */
function pairContractAccepts(reserveIn: bigint, reserveOut: bigint, amountIn: bigint, amountOut: bigint): boolean {
  const balanceInAdjusted = (reserveIn + amountIn) * 10_000n - amountIn * 25n
  const balanceOutAdjusted = (reserveOut - amountOut) * 10_000n
  return balanceInAdjusted * balanceOutAdjusted >= reserveIn * reserveOut * 10_000n ** 2n
}
