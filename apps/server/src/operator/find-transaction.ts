import type { Database } from '@clearwell/ledger/database'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import type { Hex, PublicClient } from 'viem'
import type { Chain } from '../platform/chain/chain.ts'
import { readCursor } from '../platform/custody/chain-cursors.ts'

/**
 * Where a transaction is. `unseen`: the node does not know it. `pool`: it waits for a block. `failed`: the chain rejected it.
 * `confirming`: it needs more confirmations. `unread`: the watcher is behind. `unknown`: the vault paid it without an order of the
 * ledger. `other`: it moves no money of the vault.
 */
export type TransactionState =
  | 'unseen'
  | 'pool'
  | 'failed'
  | 'confirming'
  | 'unread'
  | 'credited'
  | 'taken back'
  | 'stranded'
  | 'paid out'
  | 'unknown'
  | 'other'

export interface FoundTransaction {
  readonly state: TransactionState
  /** One sentence for the operator. */
  readonly text: string
  /** The accounts that it paid, or that paid it. */
  readonly accounts: readonly string[]
}

interface Booked {
  readonly state: TransactionState
  readonly account: string
  readonly asset: Amount['asset']
  readonly units: bigint
  readonly at: Date
}

interface Deps {
  readonly db: Database
  readonly chain: Pick<Chain, 'id' | 'head' | 'movementsOf'>
  readonly client: Pick<PublicClient, 'getTransaction'>
  readonly confirmations: number
}

/** Finds where a transaction is: in the ledger first, then on the chain. */
export async function findTransaction(deps: Deps, hash: Hex): Promise<FoundTransaction> {
  const booked = await readBooked(deps.db, hash)
  const [first] = booked
  if (!first) return findOnChain(deps, hash)
  const parts = booked.map(({ account, at, ...amount }) => {
    return `${formatAmount(amount)} ${amount.asset} of ${account}, ${amount.state} at ${at.toISOString()}`
  })
  return { state: first.state, text: `${parts.join('; ')}.`, accounts: booked.map(({ account }) => account) }
}

function readBooked(db: Database, hash: string): Promise<Booked[]> {
  return db.query<Booked>(
    `select case when taken_back_at is null then 'credited' else 'taken back' end as state, user_id as account, asset, units,
            coalesce(taken_back_at, credited_at) as at from deposits where tx_hash = $1
     union all
     select 'stranded', user_id, asset, units, seen_at from stranded_deposits where tx_hash = $1 and credited_at is null
     union all
     select 'unknown', account, asset, units, seen_at from unknown_withdrawals where tx_hash = $1
     union all
     select 'paid out', user_id, asset, amount, completed_at from withdrawal_orders where tx_hash = $1 and completed_at is not null
     limit 100`,
    [hash],
  )
}

async function findOnChain({ db, chain, client, confirmations }: Deps, hash: Hex): Promise<FoundTransaction> {
  const found = await chain.movementsOf(hash)
  if (found.status !== 'mined') return findUnmined(client, found.status, hash)
  const moved = [...found.deposits, ...found.withdrawals]
  const accounts = [...new Set(moved.map(({ account }) => account))]
  if (moved.length === 0) return { state: 'other', text: 'It moves no money of the vault.', accounts }
  const amounts = moved.map((each) => `${formatAmount(each)} ${each.asset} of ${each.account}`).join('; ')
  const { number: head } = await chain.head()
  const count = head - found.block.number + 1n
  if (count < BigInt(confirmations))
    return { state: 'confirming', text: `${amounts}: ${count} of ${confirmations} confirmations.`, accounts }
  const cursor = await readCursor(db, chain.id)
  const read = cursor ? `up to block ${cursor.number}` : 'no block'
  const text = `${amounts}: confirmed in block ${found.block.number}, and the watcher has read ${read}.`
  return { state: 'unread', text, accounts }
}

async function findUnmined(
  client: Deps['client'],
  status: 'failed' | 'not_found',
  hash: Hex,
): Promise<FoundTransaction> {
  if (status === 'failed') return { state: 'failed', text: 'The chain rejected it: it moved nothing.', accounts: [] }
  const isWaiting = await client.getTransaction({ hash }).then(
    () => true,
    () => false,
  )
  if (isWaiting) return { state: 'pool', text: 'It waits for a block.', accounts: [] }
  return { state: 'unseen', text: 'The node does not know it.', accounts: [] }
}
