import { randomUUID } from 'node:crypto'
import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { Writer } from '@clearwell/ledger/writer'
import type { AssetId } from '@clearwell/money/asset'
import { nativeAsset } from '@clearwell/vault/abi/withdrawal-typed-data'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainBlock } from '../../../platform/chain/chain.ts'
import {
  createSimulatedChain,
  type SimulatedChain,
  simulatedPayment,
  simulatedWithdrawal,
} from '../../../platform/chain/testing/simulated-chain.ts'
import { movementRules } from '../../../platform/custody/testing/watcher.ts'
import { createWatcher, type Watcher } from '../../../platform/custody/watcher.ts'
import { MIGRATION_FOLDERS } from '../../../platform/database/open-database.ts'
import { userAccount } from '../../../platform/ledger/accounts.ts'
import { createSigner, type Signer } from '../../../platform/signer/signer.ts'
import { withdrawalRules } from '../complete-withdrawal.ts'
import { createExpiry } from '../expire-due.ts'
import { findLostVouchers } from '../lost-vouchers.ts'
import { orderWithdrawal } from '../order-withdrawal.ts'
import { voucherOf } from '../voucher.ts'
import { createWalletStore, type WalletStore } from '../wallet.store.ts'
import type { WithdrawalRow } from '../withdrawal-orders.ts'

export const START = new Date('2026-11-21T09:00:00Z')
export const TTL_MS = 3_600_000
export const ANN = `0x${'a'.repeat(40)}`
export const BEN = `0x${'b'.repeat(40)}`
const CHAIN_ID = 31337
const CONFIRMATIONS = 3
const SIGNER_KEY = `0x${'5'.repeat(64)}` as const

/** Transfers out with a real database and signer, a simulated chain, and a clock that the test controls. */
export interface WithdrawalBench {
  readonly db: Database
  readonly clock: { now(): Date }
  readonly writer: Writer
  readonly chain: SimulatedChain
  readonly store: WalletStore
  readonly watcher: Watcher
  readonly signer: Signer
  readonly alarms: string[]
  /** A signer with another key on the same database. */
  newSigner(key: `0x${string}`): Signer
  /** A new watcher that knows only the database's content, as after a restart. */
  newWatcher(): Watcher
  /** Credits a user through a confirmed payment. */
  fund(user: string, units: bigint, asset?: AssetId): Promise<void>
  lock(user: string, units: bigint, key?: string): Promise<WithdrawalRow>
  row(orderId: string): Promise<WithdrawalRow>
  /** The vault's payment of an order, with optional deviations. */
  paymentOf(
    order: WithdrawalRow,
    changes?: Partial<Parameters<typeof simulatedWithdrawal>[1]>,
  ): ReturnType<typeof simulatedWithdrawal>
  /** Moves the server's clock and the chain's time forward, and mines a block. */
  advance(ms: number): void
  /** Moves only the server's clock, forward or back. */
  moveClock(byMs: number): void
  now(): Date
  /** A user's balances by account. */
  balances(user: string, asset?: AssetId): Promise<{ available: bigint; locked: bigint }>
  entriesOf(kind: string): Promise<string[]>
  close(): Promise<void>
}

export async function openWithdrawalBench(): Promise<WithdrawalBench> {
  const parts = await openParts()
  const { db, writer, chain, store, clock, watcher } = parts
  const payments = createNumbering()
  async function row(orderId: string): Promise<WithdrawalRow> {
    const found = await store.withdrawal(orderId)
    if (!found) throw new Error(`there is no order ${orderId}`)
    return found
  }
  async function balance(account: string, asset: AssetId): Promise<bigint> {
    const rows = await store.balances([account])
    return rows.find((each) => each.asset === asset)?.units ?? 0n
  }
  return {
    ...parts,
    async fund(user, units, asset = 'BNB') {
      chain.mine(simulatedPayment(payments('fund'), { account: user, asset, units }))
      chain.mineEmpty(CONFIRMATIONS - 1)
      await watcher.poll()
    },
    async lock(user, units, key) {
      const rules = { limits: { minOut: 1n, maxOut: 1_000n }, voucherTtlMs: TTL_MS }
      const input = { userId: user, amount: { asset: 'BNB', units } as const, key, now: clock.now() }
      return row((await writer.execute(orderWithdrawal(rules, input))).orderId)
    },
    row,
    paymentOf(order, changes = {}) {
      const { user_id, asset, amount: units, nonce } = order
      return simulatedWithdrawal(payments('payment'), { account: user_id, asset, units, nonce, ...changes })
    },
    advance(ms) {
      clock.moveBy(ms)
      chain.moveTo(clock.now())
      chain.mineEmpty(1)
    },
    moveClock: clock.moveBy,
    now: clock.now,
    async balances(user, asset = 'BNB') {
      return {
        available: await balance(userAccount(user, 'available'), asset),
        locked: await balance(userAccount(user, 'locked'), asset),
      }
    },
    async entriesOf(kind) {
      const rows = await db.query<{ reference: string }>('select reference from entries where kind = $1 order by seq', [
        kind,
      ])
      return rows.map((each) => each.reference)
    },
    async close() {
      await watcher.stop()
      await writer.close()
      await db.close()
    },
  }
}

/** The server's parts for transfers out, around a simulated chain. */
async function openParts() {
  const db = await openTestDatabase(MIGRATION_FOLDERS)
  const clock = createMovableClock()
  const alarms: string[] = []
  const onError = (error: unknown, task: string) => alarms.push(`${task}: ${(error as Error).message}`)
  const writer = await Writer.open({
    db,
    clock,
    randomId: () => randomUUID(),
    holder: 'test',
    leaseTtlMs: 2_000,
    exclusive: true,
    onError,
  })
  const chain = createSimulatedChain(CHAIN_ID, {
    startTime: START,
    signer: privateKeyToAccount(SIGNER_KEY).address.toLowerCase(),
  })
  const store = createWalletStore(db)
  const newSigner = (key: `0x${string}`) =>
    createSigner({
      db,
      clock,
      account: privateKeyToAccount(key),
      chainId: CHAIN_ID,
      vault: `0x${'c'.repeat(40)}`,
      assets: [
        { asset: 'BNB', token: nativeAsset, perVoucher: 1_000n, perAccountPerDay: 10_000n, perDay: 10_000n, unit: 1n },
      ],
      chain,
      checkSolvency: async () => ({ ok: true }),
      onError,
    })
  const signer = newSigner(SIGNER_KEY)
  const expireVouchers = (orders: readonly WithdrawalRow[], at: ChainBlock) =>
    signer.expireVouchers(
      orders.map((order) => voucherOf({ tokens: [] }, order)),
      at,
    )
  const newWatcher = () =>
    createWatcher({
      chain,
      db,
      writer,
      rules: movementRules(CHAIN_ID, { withdrawals: withdrawalRules }),
      findLostSigner: async (nonces) => (await findLostVouchers(db, nonces))?.lastSigner,
      expireDue: createExpiry({ chain, writer, store, expireVouchers, onError }),
      confirmations: CONFIRMATIONS,
      startBlock: 0n,
      pollMs: 3_600_000,
      onError,
    })
  return { db, clock, alarms, writer, chain, store, signer, newSigner, newWatcher, watcher: newWatcher() }
}

function createMovableClock() {
  let now = START
  return {
    now: () => now,
    moveBy(ms: number) {
      now = new Date(now.getTime() + ms)
    },
  }
}

/** Returns unique names. */
function createNumbering(): (name: string) => string {
  let count = 0
  return (name) => `${name} ${count++}`
}
