import { type Command, write } from '@clearwell/ledger/command'
import type { Writer } from '@clearwell/ledger/writer'
import type { AssetId } from '@clearwell/money/asset'
import type { Liquidity } from '../../platform/chain/local-chain.ts'
import { poolAccount, TREASURY } from '../../platform/ledger/accounts.ts'
import { swapPools } from './swap.tables.ts'

/** A pool of the configuration, with its initial liquidity in base units. */
export interface PoolDefinition {
  readonly id: string
  readonly base: AssetId
  readonly quote: AssetId
  readonly initialBase: bigint
  readonly initialQuote: bigint
}

/** The symbol of a pool's pair, in the format of spot symbols. */
export function symbolOf({ base, quote }: Pick<PoolDefinition, 'base' | 'quote'>): string {
  return `${base}${quote}`
}

/** The assets of a swap. @param inverse whether it sells the quote asset. */
export function sidesOf(
  { base, quote }: Pick<PoolDefinition, 'base' | 'quote'>,
  inverse: boolean,
): readonly [sold: AssetId, bought: AssetId] {
  return inverse ? [quote, base] : [base, quote]
}

/** The symbol of a pool's spot price; `undefined` where the spot market doesn't have the pair. */
export function spotSymbolOf(
  pool: Pick<PoolDefinition, 'base' | 'quote'>,
  spotSymbols: ReadonlySet<string>,
): string | undefined {
  const symbol = symbolOf(pool)
  return spotSymbols.has(symbol) ? symbol : undefined
}

/**
 * Opens a pool with liquidity from `treasury`, which the operator has deposited. Returns `open: false`, and changes
 * nothing, while `treasury` holds too little. `isNew` is set if it was not open before.
 */
export function openPool(pool: PoolDefinition): Command<{ open: boolean; isNew?: true }> {
  const { id, base, quote, initialBase, initialQuote } = pool
  const account = poolAccount(id)
  return {
    kind: 'open_pool',
    owner: 'genesis',
    payload: { id },
    preload: [
      { table: swapPools, id },
      { account: TREASURY, asset: base },
      { account: TREASURY, asset: quote },
    ],
    decide(state, context) {
      if (state.row(swapPools, id)) return { response: { open: true } }
      const funded = state.balance(TREASURY, base) >= initialBase && state.balance(TREASURY, quote) >= initialQuote
      if (!funded) return { response: { open: false } }
      const postings = [
        { account: TREASURY, asset: base, units: -initialBase },
        { account: TREASURY, asset: quote, units: -initialQuote },
        { account, asset: base, units: initialBase },
        { account, asset: quote, units: initialQuote },
      ]
      const row = {
        id,
        base,
        quote,
        opened_at: context.now,
        suspended_at: null,
        suspended_reason: null,
        suspended_by: null,
        is_watched: true,
      }
      return {
        entries: [{ kind: 'pool_liquidity', reference: id, postings }],
        rows: [write(swapPools, row)],
        response: { open: true, isNew: true },
      }
    },
  }
}

/**
 * Opens the configured pools whose initial liquidity the operator has deposited.
 *
 * @param options.fund makes that deposit; available on a local chain only.
 * @param options.onOpened receives the id of each pool that was not open before.
 */
export async function openPools({
  writer,
  pools,
  readPayments,
  fund,
  onOpened,
}: OpenOptions & {
  readonly readPayments: () => Promise<void>
  readonly fund: ((needed: Liquidity) => Promise<void>) | undefined
}): Promise<void> {
  const areOpen = async () =>
    (await Promise.all(pools.map((pool) => executeOpen(writer, pool, onOpened)))).every((isOpen) => isOpen)
  await readPayments()
  if ((await areOpen()) || !fund) return
  await fund(liquidityOf(pools))
  await readPayments()
  if (!(await areOpen())) throw new Error('the pools are still missing their initial liquidity after the deposit')
}

interface OpenOptions {
  readonly writer: Pick<Writer, 'execute'>
  readonly pools: readonly PoolDefinition[]
  readonly onOpened: (poolId: string) => void
}

/** @returns whether the pool is open now. */
async function executeOpen(
  writer: OpenOptions['writer'],
  pool: PoolDefinition,
  onOpened: OpenOptions['onOpened'],
): Promise<boolean> {
  const { open, isNew = false } = await writer.execute(openPool(pool))
  if (isNew) onOpened(pool.id)
  return open
}

/** Opens the configured pools that are not open yet and whose initial liquidity is in the treasury. */
export async function openFundedPools({
  writer,
  pools,
  openPoolIds,
  readTreasury,
  onOpened,
}: OpenOptions & {
  readonly openPoolIds: () => Promise<readonly string[]>
  readonly readTreasury: () => Promise<readonly { readonly asset: AssetId; readonly units: bigint }[]>
}): Promise<void> {
  const open = await openPoolIds()
  const closed = pools.filter(({ id }) => !open.includes(id))
  if (closed.length === 0) return
  const treasury = await readTreasury()
  const has = (asset: AssetId, units: bigint) => treasury.some((row) => row.asset === asset && row.units >= units)
  for (const pool of closed)
    if (has(pool.base, pool.initialBase) && has(pool.quote, pool.initialQuote))
      await executeOpen(writer, pool, onOpened)
}

/** The operator's deposit that opens these pools. RT is not a token on the chain. */
function liquidityOf(pools: readonly PoolDefinition[]): Liquidity {
  const sum = { BNB: 0n, USDT: 0n, ETH: 0n, RT: 0n }
  for (const { base, quote, initialBase, initialQuote } of pools) {
    sum[base] += initialBase
    sum[quote] += initialQuote
  }
  return sum
}
