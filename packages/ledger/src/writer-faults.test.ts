import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Command, write } from './command.ts'
import { type Database, type Queryable, type Statement, sqlState } from './database.ts'
import { LEDGER_MIGRATIONS } from './migrate.ts'
import { Refusal } from './refusal.ts'
import { column, defineWriterTable, forever } from './table.ts'
import { expectBooksBalanced, openTestDatabase } from './testing/database.ts'
import { pay } from './testing/pay.ts'
import { CommandFailed, NotReady, Writer, type WriterOptions } from './writer.ts'

const notes = defineWriterTable('test_notes', forever('a test'), { id: column.text, at: column.time })

const NOTES = 'create table test_notes (id text primary key, at timestamptz not null)'

/** The fault of the next transaction that writes. */
type Fault =
  | 'connection lost before the commit'
  | 'connection lost after the commit'
  | 'connection lost while the commit is under way'
  | 'a conflict at the commit'

let db: Database
let faulty: FaultyDatabase
let writer: Writer
let errors: string[]
let commits: number

const options = (over: Database): WriterOptions => ({
  db: over,
  clock: { now: () => new Date('2026-11-21T09:00:00Z') },
  randomId: () => randomUUID(),
  holder: 'test',
  // Long, so that no heartbeat meets the fault that is meant for a command.
  leaseTtlMs: 60_000,
  exclusive: true,
  onError: (_error, task) => errors.push(task),
})

beforeEach(async () => {
  errors = []
  commits = 0
  db = await openTestDatabase([LEDGER_MIGRATIONS], NOTES)
  faulty = new FaultyDatabase(db)
  writer = await Writer.open(options(faulty))
  writer.onCommitted(() => commits++)
})

afterEach(async () => {
  faulty.away = false
  await writer.close()
  await faulty.settled
  await expectBooksBalanced(db)
  await db.close()
})

describe('a connection that is lost', () => {
  test('a connection lost before the commit repeats the command once', async () => {
    faulty.next = 'connection lost before the commit'
    await expect(writer.execute(pay('key-00001'))).rejects.toBeInstanceOf(NotReady)
    expect(await paid()).toBe(0n)
    expect(commits).toBe(0)
    const response = await writer.execute(pay('key-00001'))
    expect(await writer.execute(pay('key-00001'))).toEqual(response)
    expect(await paid()).toBe(1n)
  })

  test('a connection lost after the commit returns the stored response', async () => {
    faulty.next = 'connection lost after the commit'
    await expect(writer.execute(pay('key-00001'))).rejects.toBeInstanceOf(NotReady)
    expect(await paid()).toBe(1n)
    // Readers of committed state have to read again, with or without a response.
    expect(commits).toBe(1)
    const [stored] = await db.query<{ outcome: { ok: unknown } }>('select outcome from command_outcomes')
    expect(await writer.execute(pay('key-00001'))).toEqual(stored?.outcome.ok)
    expect(await paid()).toBe(1n)
    expect(writer.isWriting).toBe(true)
  })

  test('a writer that loses its connection during a commit awaits the outcome', async () => {
    faulty.next = 'connection lost while the commit is under way'
    await expect(writer.execute(pay('key-00001'))).rejects.toBeInstanceOf(NotReady)
    await writer.execute(pay('key-00001'))
    await writer.execute(pay('key-00002'))
    expect(await paid()).toBe(2n)
    expect(errors).toEqual(['batch with unknown outcome'])
  })

  test('a lost connection rejects its whole batch, and each can repeat', async () => {
    faulty.next = 'connection lost after the commit'
    const keys = ['key-00001', 'key-00002', 'key-00003']
    const lost = await Promise.allSettled(keys.map((key) => writer.execute(pay(key))))
    expect(lost.map((each) => each.status)).toEqual(['rejected', 'rejected', 'rejected'])
    await Promise.all([...keys, 'key-00004'].map((key) => writer.execute(pay(key))))
    expect(await paid()).toBe(4n)
  })

  test('keeps the lease during a short outage and continues afterwards', async () => {
    faulty.away = true
    await expect(writer.execute(pay('key-00001'))).rejects.toBeInstanceOf(NotReady)
    await expect(writer.execute(pay('key-00001'))).rejects.toBeInstanceOf(NotReady)
    expect(writer.isWriting).toBe(true)
    faulty.away = false
    // The lease lasts a minute, so a writer that gave it up would have to wait for that long.
    await writer.execute(pay('key-00001'))
    expect(await paid()).toBe(1n)
  })

  test('keeps the lease when the response to its renewal is lost', async () => {
    faulty.next = 'connection lost before the commit'
    faulty.losesRenewal = true
    await expect(writer.execute(pay('key-00001'))).rejects.toBeInstanceOf(NotReady)
    await writer.execute(pay('key-00001'))
    expect(await paid()).toBe(1n)
  })

  test('releases the lease in a longer outage and takes it again', async () => {
    await writer.close()
    writer = await Writer.open({ ...options(faulty), leaseTtlMs: 150 })
    faulty.away = true
    await expect(writer.execute(pay('key-00001'))).rejects.toBeInstanceOf(NotReady)
    await expect.poll(() => writer.isWriting).toBe(false)
    await expect(writer.execute(pay('key-00001'))).rejects.toBeInstanceOf(NotReady)
    faulty.away = false
    await expect.poll(() => writer.isWriting).toBe(true)
    await writer.execute(pay('key-00001'))
    expect(await paid()).toBe(1n)
  })
})

describe('commands that arrive while a batch is being written', () => {
  /** Spends what the batch before pays in, so it can only be decided on top of it. */
  const spend = (key: string): Command<{ left: string }> => ({
    ...pay(key),
    kind: 'spend',
    decide(state, context) {
      if (state.balance('someone', 'USDT') < 1n) throw new Refusal('balance_not_enough')
      const postings = [
        { account: 'someone', asset: 'USDT', units: -1n },
        { account: 'vault', asset: 'USDT', units: 1n },
      ]
      return { entries: [{ kind: 'spend', reference: context.id('spend'), postings }], response: { left: '0' } }
    },
  })
  test('commands during a write see its changes and uncommitted keys', async () => {
    const release = faulty.hang()
    const paying = writer.execute(pay('key-00001'))
    await expect.poll(() => faulty.isHanging).toBe(true)
    const after = [writer.execute(spend('key-00002')), writer.execute(pay('key-00001'))]
    await nextTurn()
    release()
    const response = await paying
    expect(await Promise.all(after)).toEqual([{ left: '0' }, response])
    expect(await paid()).toBe(0n)
  })

  test('commands are decided again in order when the earlier batch fails', async () => {
    const release = faulty.hang()
    faulty.next = 'connection lost before the commit'
    const paying = writer.execute(pay('key-00001'))
    await expect.poll(() => faulty.isHanging).toBe(true)
    const after = [
      writer.execute(spend('key-00002')),
      writer.execute(pay('key-00003')),
      writer.execute(spend('key-00004')),
    ]
    await nextTurn()
    release()
    const outcomes = await Promise.allSettled([paying, ...after])
    expect(outcomes.map((each) => (each.status === 'rejected' ? each.reason.name : 'done'))).toEqual([
      'NotReady',
      'Refusal',
      'done',
      'done',
    ])
    expect(await paid()).toBe(0n)
    expect(errors).toEqual(['batch with unknown outcome'])
  })
})

describe('batches that are on their way behind another', () => {
  const keys = Array.from({ length: 150 }, (_, index) => `key-${10_000 + index}`)

  /** One batch that hangs, and more commands behind it than fit into one. Returns their outcomes. */
  async function failFirstOfSeveral(fault: Fault): Promise<Promise<PromiseSettledResult<unknown>[]>> {
    const release = faulty.holdCommits()
    faulty.next = fault
    const first = writer.execute(pay('key-00001'))
    await expect.poll(() => faulty.asked).toBe(1)
    const behind: Promise<unknown>[] = []
    for (const batch of [1, 2]) {
      for (const key of keys.slice(behind.length, batch * 50)) behind.push(writer.execute(pay(key)))
      await expect.poll(() => faulty.asked).toBe(1 + batch)
    }
    for (const key of keys.slice(behind.length)) behind.push(writer.execute(pay(key)))
    await nextTurn()
    expect(faulty.asked).toBe(3)
    release()
    return Promise.allSettled([first, ...behind])
  }

  test('batches behind a lost connection are uncertain and can be repeated', async () => {
    const outcomes = await failFirstOfSeveral('connection lost after the commit')
    const isInDoubt = outcomes.map((each) => each.status === 'rejected' && each.reason instanceof NotReady)
    // The last fifty only waited.
    expect(isInDoubt).toEqual([...Array(101).fill(true), ...Array(50).fill(false)])
    expect(await paid()).toBe(51n)
    await Promise.all(['key-00001', ...keys].map((key) => writer.execute(pay(key))))
    expect(await paid()).toBe(151n)
    expect(errors).toEqual(['batch with unknown outcome'])
  })

  test('batches behind a retried one are decided again in order', async () => {
    const outcomes = await failFirstOfSeveral('a conflict at the commit')
    expect(outcomes.filter((each) => each.status === 'fulfilled')).toHaveLength(151)
    const kept = await db.query<{ reference: string }>('select reference from entries order by seq')
    const responses = outcomes.map((each) => each.status === 'fulfilled' && (each.value as { id: string }).id)
    expect(kept.map((entry) => entry.reference)).toEqual(responses)
    expect(errors).toEqual([])
  })
})

test('ignores a balance that was loaded before its batch failed', async () => {
  await writer.close()
  const held = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  let isFirst = true
  const over: Database = {
    kind: db.kind,
    script: (text) => db.script(text),
    close: () => db.close(),
    transaction: (work) => db.transaction(work),
    commitInOrder: (statements) => db.commitInOrder(statements),
    async query<Row extends object>(text: string, params?: readonly unknown[]): Promise<Row[]> {
      if (isFirst && text.includes('from command_outcomes')) {
        await entered.promise
        throw coded('40001')
      }
      const rows = await db.query<Row>(text, params)
      if (isFirst && text.includes('from balances')) {
        entered.resolve()
        await held.promise
        isFirst = false
      }
      return rows
    },
  }
  writer = await Writer.open(options(over))
  const command = (key: string): Command<{ id: string }> => ({
    ...pay(key),
    preload: [{ account: 'someone', asset: 'USDT' }],
  })
  const paying = writer.execute(command('key-00001'))
  await entered.promise
  await nextTurn()
  held.resolve()
  await paying
  await writer.execute(command('key-00002'))
  expect(await paid()).toBe(2n)
})

describe('a database that cannot serialise', () => {
  test.each(['40001', '40P01'])('%s is tried again, five times at most', async (code) => {
    faulty.conflicts = { code, left: 5 }
    await writer.execute(pay('key-00001'))
    expect(faulty.transactions).toBe(6)
    expect(await paid()).toBe(1n)
    expect(errors).toEqual([])
  })

  test('a database that keeps failing to serialize responds "not ready"', async () => {
    faulty.conflicts = { code: '40001', left: 6 }
    const both = await Promise.allSettled([writer.execute(pay('key-00001')), writer.execute(pay('key-00002'))])
    expect(both.map((each) => each.status === 'rejected' && each.reason.name)).toEqual(['NotReady', 'NotReady'])
    expect(faulty.transactions).toBe(6)
    expect(await paid()).toBe(0n)
    await writer.execute(pay('key-00001'))
    expect(await paid()).toBe(1n)
  })
})

test('a row that fails to serialize fails only its own command', async () => {
  const note = (at: Date): Command<unknown> => ({
    ...pay(undefined),
    decide: () => ({ rows: [write(notes, { id: 'note', at })], response: {} }),
  })
  const outcomes = await Promise.allSettled([
    writer.execute(pay('key-00001')),
    writer.execute(note(new Date(Number.NaN))),
    writer.execute(pay('key-00002')),
  ])
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  await expect(writer.execute(note(new Date(Number.NaN)))).rejects.toBeInstanceOf(CommandFailed)
  expect(await paid()).toBe(2n)
})

test('rejects commands as not ready while 65,536 are waiting', async () => {
  const look: Command<unknown> = { ...pay(undefined), preload: [], decide: () => ({ response: {} }) }
  const waiting = Array.from({ length: 65_536 }, () => writer.execute(look))
  await expect(writer.execute(pay('key-00001'))).rejects.toThrow('too many commands are waiting')
  await Promise.all(waiting)
  await writer.execute(pay('key-00001'))
  expect(await paid()).toBe(1n)
})

// PGlite has one connection and no other process that could write.
if (process.env.TEST_DATABASE === 'postgres') {
  test('a hanging writer blocks no other and writes nothing later', async () => {
    const release = faulty.hang()
    const hanging = expect(writer.execute(pay('key-00001'))).rejects.toBeInstanceOf(NotReady)
    const second = await Writer.open({ ...options(db), holder: 'second', exclusive: false, leaseTtlMs: 300 })
    await expect.poll(() => second.isWriting).toBe(true)
    await second.execute(pay('key-00001'))
    release()
    await hanging
    expect(writer.isWriting).toBe(false)
    await second.close()
    expect(await paid()).toBe(1n)
  })
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

async function paid(): Promise<bigint> {
  const [row] = await db.query<{ units: bigint }>(`select units from balances where account = 'someone'`)
  return row?.units ?? 0n
}

/** A real database whose connection fails on demand. */
class FaultyDatabase implements Database {
  readonly kind: Database['kind']
  next: Fault | undefined
  /** While true, nothing reaches the database. */
  away = false
  /** While true, the next statement that renews the lease runs, but its response is lost. */
  losesRenewal = false
  conflicts: { code: string; left: number } | undefined
  /** How many batches were asked for. */
  asked = 0
  /** How many transactions were asked for since there were conflicts to meet. */
  transactions = 0
  /** Ends when what went on behind a lost connection has ended. */
  settled: Promise<unknown> = Promise.resolve()
  #real: Database
  #gate: Promise<void> | undefined
  #connection = { isLost: false }
  /** The commit that was asked for last. */
  #before: Promise<void> = Promise.resolve()
  isHanging = false

  constructor(real: Database) {
    this.#real = real
    this.kind = real.kind
  }

  /** Makes the next transaction hang before its second statement. Returns its release. */
  hang(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#gate = promise
    return resolve
  }

  /** Lets no commit begin. Returns their release. */
  holdCommits(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#before = promise
    return resolve
  }

  query: Database['query'] = async (text, params) => {
    this.#refuseWhenAway()
    const rows = await this.#real.query<never>(text, params)
    if (this.losesRenewal && text.startsWith('update writer_lease')) {
      this.losesRenewal = false
      throw lost()
    }
    return rows
  }

  async transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    this.#refuseWhenAway()
    const fault = this.next
    this.next = undefined
    const gate = this.#gate
    this.#gate = undefined
    if (this.conflicts) this.#refuseConflict(this.conflicts)
    if (fault === 'connection lost while the commit is under way') return this.#loseDuringCommit(work)
    let statements = 0
    const result = await this.#real.transaction(async (tx) => {
      const made = await work({
        query: async (text, params) => {
          if (gate && ++statements === 2) {
            this.isHanging = true
            await gate
          }
          return tx.query(text, params)
        },
      })
      if (fault === 'connection lost before the commit') throw lost()
      if (fault === 'a conflict at the commit') throw coded('40001')
      return made
    })
    if (fault === 'connection lost after the commit') throw lost()
    return result
  }

  /**
   * One transaction after the other, statement by statement, so that something can go wrong in between. What waits on a
   * connection that is lost is lost with it.
   */
  commitInOrder(statements: readonly Statement[]): Promise<void> {
    this.asked++
    const connection = this.#connection
    const commit = async () => {
      if (connection.isLost) throw lost()
      await this.transaction(async (tx) => {
        for (const { text, params } of statements) await tx.query(text, params)
      }).catch((error) => {
        if (sqlState(error) === undefined) this.#connection = { isLost: false }
        connection.isLost = this.#connection !== connection
        throw error
      })
    }
    const committed = this.#before.then(commit, commit)
    this.#before = committed
    return committed
  }

  script(text: string): Promise<void> {
    return this.#real.script(text)
  }

  close(): Promise<void> {
    return this.#real.close()
  }

  /** The caller hears of the loss before the commit is done at the other end. */
  #loseDuringCommit<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    return new Promise((_resolve, reject) => {
      this.settled = this.#real.transaction(async (tx) => {
        await work(tx)
        reject(lost())
        await new Promise((resolve) => setTimeout(resolve, 200))
      })
    })
  }

  #refuseWhenAway(): void {
    if (this.away) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }

  #refuseConflict(conflicts: { code: string; left: number }): void {
    this.transactions++
    if (conflicts.left-- > 0) throw coded(conflicts.code)
  }
}

function coded(code: string): Error {
  return Object.assign(new Error('could not serialize access'), { code })
}

/** As `pg` says it: no code. */
function lost(): Error {
  return new Error('Connection terminated unexpectedly')
}
