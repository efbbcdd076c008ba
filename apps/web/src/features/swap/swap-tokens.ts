import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { boughtAsset, type Pair, soldAsset, type Trade } from './swap-terms.ts'

/** A token that a pool trades, with what the user holds of it. */
export interface Token {
  readonly asset: AssetId
  readonly name: string
  /** Plain decimal text. */
  readonly available: string
  readonly isHeld: boolean
  /** The value of the available balance in USDT, at the pools' mid prices; `undefined` where no pool prices it. */
  readonly worth: string | undefined
}

interface Holding {
  readonly asset: string
  readonly available: string
}

/** The tokens of all pools: the most valuable holding first, then the others in the order of the pools. */
export function tokensOf(
  pairs: readonly Pair[],
  {
    balances = [],
    names,
  }: { readonly balances?: readonly Holding[] | undefined; readonly names: ReadonlyMap<string, string> },
): Token[] {
  const assets = [...new Set(pairs.flatMap(({ base, quote }) => [base, quote]))]
  const tokens = assets.map((asset) => {
    const available = balances.find((each) => each.asset === asset)?.available ?? '0'
    const units = parseUnits(available, ASSET_DECIMALS[asset]) ?? 0n
    const value = valueE18(asset, units, pairs)
    const worth = value === undefined ? undefined : formatUnits(value, 18)
    return { asset, name: names.get(asset) ?? asset, available, isHeld: units > 0n, worth, value: value ?? 0n }
  })
  const order = (token: (typeof tokens)[number]) => (token.isHeld ? token.value : -1n)
  return tokens
    .toSorted((one, other) => (order(one) === order(other) ? 0 : order(one) < order(other) ? 1 : -1))
    .map(({ value, ...token }) => token)
}

/**
 * The trade after a token was chosen for one side. The other side keeps its token where a pool has both; the same token
 * on both sides turns the trade around.
 *
 * @returns `undefined` where no pool trades the token.
 */
export function tradeWith(
  pairs: readonly Pair[],
  now: Pick<Trade, 'pair' | 'inverse'>,
  { side, asset }: { readonly side: 'sell' | 'buy'; readonly asset: AssetId },
): Pick<Trade, 'pair' | 'inverse'> | undefined {
  const [sold, bought] = [soldAsset(now), boughtAsset(now)]
  if (asset === (side === 'sell' ? bought : sold)) return { ...now, inverse: !now.inverse }
  const kept = side === 'sell' ? bought : sold
  const has = ({ base, quote }: Pair, one: AssetId) => base === one || quote === one
  const pair = pairs.find((each) => has(each, asset) && has(each, kept)) ?? pairs.find((each) => has(each, asset))
  return pair && { pair, inverse: (side === 'sell') === (pair.quote === asset) }
}

function valueE18(asset: AssetId, units: bigint, pairs: readonly Pair[]): bigint | undefined {
  const unit = 10n ** BigInt(ASSET_DECIMALS[asset])
  if (asset === 'USDT') return mulDiv(units, 10n ** 18n, unit, 'down')
  const price = pairs.find(({ base, quote }) => base === asset && quote === 'USDT')?.price
  const priceE18 = parseUnits(price ?? '', 18)
  // Rounded down: never shown worth more than it is.
  return priceE18 === undefined ? undefined : mulDiv(units, priceE18, unit, 'down')
}
