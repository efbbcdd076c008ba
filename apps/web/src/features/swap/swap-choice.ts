import { type AssetId, isAssetId } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import { stored } from '@clearwell/ui/browser/stored.ts'
import type { Pair } from './swap-terms.ts'

/** The pair and side that an account used last, so that its next visit starts there. */
export interface SwapChoice {
  /** The symbol of the pair. */
  readonly pair: string
  readonly sell: AssetId
}

/** The choices of the latest accounts, each under its address in lower case. */
const choices = stored<SwapChoice>({
  key: 'clearwell.swap.choice',
  scope: 'device',
  keep: 5,
  schema: (value) => (isChoice(value) ? value : undefined),
})

/** Stores the choice of an account on this device. Without storage the next visit starts with the default. */
export function saveSwapChoice(owner: string, { pair, sell }: SwapChoice): void {
  if (owner === '') return
  // Again: the account that was used last stays longest.
  choices.remove(owner)
  choices.put(owner, { pair, sell })
}

export function readSwapChoice(owner: string): SwapChoice | undefined {
  return choices.get(owner)
}

/**
 * Chooses the pair of the screen: of the names asked for, the first that is traded, else the first pair (specification §7).
 *
 * @param pairs `undefined` while they load.
 * @param asked symbols, the most important first.
 */
export function pairOf(pairs: readonly Pair[] | undefined, asked: readonly (string | undefined)[]): Pair | undefined {
  for (const name of asked) {
    const pair = pairs?.find(({ symbol }) => symbol === name)
    if (pair) return pair
  }
  return pairs?.[0]
}

interface Balance {
  readonly asset: string
  readonly available: string
}

/**
 * Decides which side of a pair a new form sells: the asset that was asked for, else the last one if any of it is left,
 * else the larger holding. A user who holds neither has USDT to bring first.
 *
 * @param balances `undefined` for a visitor and while they load.
 * @returns `true` to sell the second asset of the pair.
 */
export function startsInverse(
  pair: Pair,
  {
    asked,
    last,
    balances,
  }: {
    readonly asked?: AssetId | undefined
    readonly last?: SwapChoice | undefined
    readonly balances?: readonly Balance[] | undefined
  },
): boolean {
  if (asked === pair.base || asked === pair.quote) return asked === pair.quote
  const lastSold = last?.pair === pair.symbol ? last.sell : undefined
  if (!balances) return lastSold === pair.quote
  const held = (asset: AssetId) => parseUnits(balances.find((each) => each.asset === asset)?.available ?? '0', 18) ?? 0n
  const [base, quote] = [held(pair.base), held(pair.quote)]
  if (lastSold !== undefined && (held(lastSold) > 0n || (base === 0n && quote === 0n))) return lastSold === pair.quote
  if (base === 0n && quote === 0n) return true
  return quote > valueIn(pair, base)
}

/** An amount of the pair's first asset in its second, at the mid price; both with 18 decimals. */
function valueIn(pair: Pair, base: bigint): bigint {
  return ((parseUnits(pair.price, 18) ?? 0n) * base) / 10n ** 18n
}

function isChoice(value: unknown): value is SwapChoice {
  if (typeof value !== 'object' || value === null) return false
  const { pair, sell } = value as Partial<SwapChoice>
  return typeof pair === 'string' && isAssetId(sell)
}
