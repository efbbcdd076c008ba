import { randomUUID } from 'node:crypto'
import { type Command, write } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { Writer } from '@clearwell/ledger/writer'
import type { AssetId } from '@clearwell/money/asset'
import type { Chain } from '../../chain/chain.ts'
import { MIGRATION_FOLDERS } from '../../database/open-database.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { depositOrders } from '../../ledger/deposit-orders.ts'
import type { MovementRules } from '../book-movements.ts'
import { createWatcher, type Watcher, type WatcherOptions } from '../watcher.ts'
import { answering } from './answering.ts'

/** Rules of a ledger without features: deposits are only credited, and payments by the vault have no orders. */
export function movementRules(chainId: number, changes: Partial<MovementRules> = {}): MovementRules {
  return {
    chainId,
    operator: `0x${'0'.repeat(40)}`,
    purposes: [],
    withdrawals: {
      preload: () => [],
      complete: () => ({ as: 'unknown', reason: 'no order has its nonce', hasOrder: false }),
    },
    ...changes,
  }
}

/** Creates an order that a payment can name. */
export function newDepositOrder(
  userId: string,
  { purpose = 'transfer_in', asset = 'USDT' }: { purpose?: string; asset?: AssetId } = {},
): Command<{ orderId: string }> {
  return {
    kind: 'new_order',
    owner: 'test',
    payload: {},
    preload: [],
    decide(_state, context) {
      const orderId = `0x${context.id('order')}${context.id('order-rest')}`
      const row = {
        id: orderId,
        user_id: userId,
        purpose,
        asset,
        amount: 100n,
        credited: 0n,
        tx_hash: null,
        created_at: context.now,
        expires_at: context.now,
      }
      return { rows: [write(depositOrders, row)], response: { orderId } }
    },
  }
}

/** A database and a writer, and watchers of any chain on them, for tests. */
export interface WatcherBench {
  readonly db: Database
  readonly writer: Writer
  /** Every alarm of writer and watchers so far. */
  readonly alarms: { error: unknown; task: string }[]
  /** The number of statements that were run. */
  readonly statementCount: number
  /** A new watcher that knows only the database, as after a restart. */
  watch(chain: Chain, options: { confirmations: number } & Partial<WatcherOptions>): Watcher
  /** Reads a user's available balance of the asset. */
  available(userId: string, asset: string): Promise<bigint>
  /** Counts the credited payments. */
  depositCount(): Promise<number>
  /** Stops everything and expects the books to balance. */
  close(): Promise<void>
}

export async function openWatcherBench(): Promise<WatcherBench> {
  const alarms: WatcherBench['alarms'] = []
  const onError = (error: unknown, task: string) => void alarms.push({ error, task })
  const opened = await openTestDatabase(MIGRATION_FOLDERS)
  let statementCount = 0
  const counting = answering(opened, () => {
    statementCount++
    return undefined
  })
  const db: Database = {
    ...counting,
    commitInOrder: (statements) => {
      statementCount += statements.length
      return opened.commitInOrder(statements)
    },
  }
  const writer = await Writer.open({
    db,
    clock: { now: () => new Date('2026-11-21T09:00:00Z') },
    randomId: () => randomUUID(),
    holder: 'test',
    leaseTtlMs: 2_000,
    exclusive: true,
    onError,
  })
  const watchers: Watcher[] = []
  return {
    db,
    writer,
    alarms,
    get statementCount() {
      return statementCount
    },
    watch(chain, options) {
      const watcher = createWatcher({
        chain,
        db,
        writer,
        rules: movementRules(chain.id),
        expireDue: async () => {},
        startBlock: 0n,
        pollMs: 3_600_000,
        onError,
        ...options,
      })
      watchers.push(watcher)
      return watcher
    },
    async available(userId, asset) {
      const [row] = await db.query<{ units: bigint }>('select units from balances where account = $1 and asset = $2', [
        userAccount(userId, 'available'),
        asset,
      ])
      return row?.units ?? 0n
    },
    async depositCount() {
      const [row] = await db.query<{ count: bigint }>('select count(*) as count from deposits')
      return Number(row?.count ?? 0n)
    },
    async close() {
      for (const watcher of watchers) await watcher.stop()
      await writer.close()
      await expectBooksBalanced(opened)
      await opened.close()
    },
  }
}
