import { randomUUID } from 'node:crypto'
import type { Command } from '@clearwell/ledger/command'
import { write } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { NotReady, Writer } from '@clearwell/ledger/writer'
import { type Amount, amountOf } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { E18 } from '@clearwell/money/scale'
import type { MembershipLevel } from '@clearwell/rules/box-power'
import { DEFAULT_BOX_RULES } from '@clearwell/rules/box-rules'
import { expiryOf } from '@clearwell/rules/box-status'
import { addDays, type HongKongDay } from '@clearwell/rules/hong-kong-day'
import { addFee, feeDays } from '../../../domain/boxes/fee-days.ts'
import { members } from '../../../domain/members/members.ts'
import { memberships } from '../../../domain/members/memberships.ts'
import type { Chain } from '../../../platform/chain/chain.ts'
import { MIGRATION_FOLDERS } from '../../../platform/database/open-database.ts'
import { REWARDS, VAULT } from '../../../platform/ledger/accounts.ts'
import { fixedPace } from '../../../platform/time/batch-pace.ts'
import { divideDay } from '../box-money.ts'
import { clickBox } from '../click-box.ts'
import { advanceDays, type DayCloseDependencies } from '../close-day.ts'
import { dayFile } from '../day-file.ts'
import { createSeeds, type Seeds, sha256 } from '../seeds.ts'

const BLOCK_MS = 60_000
const FIRST_BLOCK_MS = Date.parse('2026-11-20T00:00:00Z')

/** A ledger with blind boxes on a virtual clock and a virtual chain, with a block every minute. */
export interface BoxWorld {
  readonly db: Database
  readonly writer: Writer
  readonly deps: DayCloseDependencies & { readonly seeds: Seeds }
  now(): Date
  goTo(time: string): void
  /** Adds an activated user, who has paid fees today: they make power from tomorrow on. */
  addUser(id: string, level?: MembershipLevel): Promise<void>
  /** Adds swap fees paid today, which brought as much into `rewards` as the numbers say. */
  payFees(id: string, fees: { readonly revenue: bigint; readonly bnb?: bigint; readonly usdt?: bigint }): Promise<void>
  /** Adds revenue to `rewards`, or to another account. */
  earn(amount: string, asset: AssetId, account?: string): Promise<void>
  /** Gives a user this many boxes of divided days, with a reward of one unit of USDT each. */
  assign(userId: string, boxes: number): Promise<void>
  click(userId: string, options?: { key?: string; isOperators?: boolean }): Promise<string>
  /** Advances days until they wait; each time they do, the clock moves by a block. */
  settle(deps?: DayCloseDependencies): Promise<void>
  /** Moves the clock by a block. */
  pass(): void
  /** Advances days until the server dies. The clock moves by a block whenever they wait. */
  settleUntilDeath(deps: DayCloseDependencies): Promise<void>
  readDayFile(day: HongKongDay): Promise<unknown>
  close(): Promise<void>
}

export async function openBoxWorld(changes: Partial<BoxWorld['deps']> = {}): Promise<BoxWorld> {
  const db = await openTestDatabase(MIGRATION_FOLDERS)
  let nowMs = Date.parse('2026-11-21T12:00:00+08:00')
  const clock = { now: () => new Date(nowMs) }
  const writer = await Writer.open({
    db,
    clock,
    // The same in each world, so that runs can be compared.
    randomId: (() => {
      let count = 0
      return () => `id-${count++}`
    })(),
    holder: randomUUID(),
    leaseTtlMs: 600_000,
    exclusive: true,
  })
  const deps = {
    db,
    writer,
    clock,
    chain: virtualChain(clock.now),
    seeds: createSeeds(new Uint8Array(32).fill(7)),
    allowsDraws: true,
    rules: async () => DEFAULT_BOX_RULES,
    confirmations: 3,
    boxesPerRun: 4,
    paces: { tree: fixedPace(3), draws: fixedPace(3), rewards: fixedPace(3) },
    ...changes,
  }
  const pass = () => {
    nowMs += BLOCK_MS
  }
  const execute = <Result>(command: Command<Result>) => writer.execute(command)
  return {
    db,
    writer,
    deps,
    now: clock.now,
    goTo(time) {
      nowMs = Date.parse(time)
    },
    async addUser(id, level = 0) {
      await db.query('insert into users (id, invite_code, nickname, created_at) values ($1, $1, $1, now())', [id])
      await execute({ ...NOTHING, decide: (_state, context) => activated(id, level, context.now) })
      await execute(feesOf(id, { revenue: 100n * E18, bnb: PLENTY, usdt: PLENTY }))
    },
    payFees: async (id, fees) => void (await execute(feesOf(id, fees))),
    earn: async (text, asset, account) => void (await execute(earning(amountOf(text, asset), account))),
    assign: (userId, boxes) => assign({ db, execute, now: clock.now() }, userId, boxes),
    click: async (userId, { key, isOperators = false } = {}) => {
      const facts = { opening: 'always', rules: await deps.rules(), isOperators, receivedAt: clock.now() } as const
      return (await execute(clickBox({ userId, ...facts, key }))).box_id
    },
    pass,
    settle: (used = deps) => settle(used, pass),
    settleUntilDeath: (used) => settleUntilDeath(used, pass),
    async readDayFile(day) {
      let text = ''
      for await (const part of dayFile(db, day)) text += part
      return text === '' ? undefined : JSON.parse(text)
    },
    async close() {
      await writer.close()
      await expectBooksBalanced(db)
      await db.close()
    },
  }
}

async function assign(
  { db, execute, now }: { db: Database; execute: <Result>(command: Command<Result>) => Promise<Result>; now: Date },
  userId: string,
  boxes: number,
): Promise<void> {
  const ids = Array.from({ length: boxes }, (_, index) => index.toString(16).padStart(32, '0'))
  const days = ids.map((_, index) => addDays('2026-09-01', index))
  await db.query(
    "insert into box_days (day, phase, divided_at, claim_until) select unnest($1::text[]), 'divided', $2, $3",
    [days, now, expiryOf(now, DEFAULT_BOX_RULES)],
  )
  await db.query(
    `insert into boxes (id, user_id, day, level, streak, created_at)
     select id, $3, day, 0, 0, $4 from unnest($1::text[], $2::text[]) as each (id, day)`,
    [ids, days, userId, now],
  )
  await db.query("insert into box_shares (box_id, asset, units) select unnest($1::text[]), 'USDT', 1", [ids])
  const rewards = { asset: 'USDT', units: BigInt(boxes) } as const
  await execute({ ...NOTHING, decide: () => ({ entries: [revenue(rewards)], response: null }) })
  await execute(divideDay('2026-09-01', [rewards]))
}

async function settle(deps: DayCloseDependencies, pass: () => void): Promise<void> {
  for (let waits = 0; waits < 40; ) {
    if ((await advanceDays(deps)) === 'advanced') continue
    pass()
    waits += 1
  }
}

async function settleUntilDeath(deps: DayCloseDependencies, pass: () => void): Promise<void> {
  for (let step = 0; step < 100; step += 1) {
    try {
      if ((await advanceDays(deps)) === 'waiting') pass()
    } catch (error) {
      if (error instanceof NotReady) return
      throw error
    }
  }
}

/** Fees of a user that brought more into `rewards` than a day can divide. */
export const PLENTY = 10n ** 30n

function feesOf(id: string, fees: { revenue: bigint; bnb?: bigint; usdt?: bigint }): Command<null> {
  const { revenue: units, bnb = 0n, usdt = 0n } = fees
  return {
    ...NOTHING,
    decide(state, { now }) {
      const paid = { userId: id, at: now, revenue: units }
      const first = addFee(state, { ...paid, rewards: { asset: 'BNB', units: bnb } })
      const row = first.row as Parameters<typeof feeDays.saveStatement>[0][number]
      return { rows: [write(feeDays, { ...row, usdt: row.usdt + usdt })], response: null }
    },
  }
}

const NOTHING = { kind: 'test', owner: 'test', payload: {}, preload: [] }

function activated(id: string, level: MembershipLevel, now: Date) {
  const leads = { leads_0: 0, leads_1: 0, leads_2: 0, leads_3: 0, leads_4: 0 }
  const member = write(members, { id, activated_at: now, activation_order_id: null })
  return { rows: [member, write(memberships, { id, level, ...leads })], response: null }
}

function earning(amount: Amount, account = REWARDS): Command<null> {
  return { ...NOTHING, decide: () => ({ entries: [revenue(amount, account)], response: null }) }
}

function revenue({ asset, units }: Amount, account = REWARDS) {
  const postings = [
    { account: VAULT, asset, units: -units },
    { account, asset, units },
  ]
  return { kind: 'swap', reference: 'revenue', postings }
}

function virtualChain(now: () => Date): Pick<Chain, 'head' | 'block'> {
  const block = (number: bigint) => ({
    number,
    hash: `0x${Buffer.from(sha256(Buffer.from(`block ${number}`))).toString('hex')}`,
    time: new Date(FIRST_BLOCK_MS + Number(number) * BLOCK_MS),
  })
  const headNumber = () => BigInt(Math.floor((now().getTime() - FIRST_BLOCK_MS) / BLOCK_MS))
  return {
    head: async () => block(headNumber()),
    block: async (number) => (number <= headNumber() ? block(number) : undefined),
  }
}
