import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { auditBooks } from './audit.ts'
import { type Command, write } from './command.ts'
import type { Database } from './database.ts'
import { LEDGER_MIGRATIONS } from './migrate.ts'
import { Refusal } from './refusal.ts'
import { column, defineWriterTable, forever } from './table.ts'
import { expectBooksBalanced, openTestDatabase } from './testing/database.ts'
import { CommandFailed, NotReady, Writer, type WriterOptions } from './writer.ts'

const notes = defineWriterTable('test_notes', forever('a test'), {
  id: column.text,
  text: column.text,
  times: column.integer,
  at: column.optional(column.time),
})

const NOTES =
  "create table test_notes (id text primary key, text text not null check (text <> 'poison'), times integer not null, at timestamptz)"

let db: Database
let writer: Writer
let errors: unknown[]

const options = (): WriterOptions => ({
  db,
  clock: { now: () => new Date('2026-11-21T09:00:00Z') },
  randomId: () => randomUUID(),
  holder: 'test',
  leaseTtlMs: 2_000,
  exclusive: true,
  onError: (error) => errors.push(error),
})

beforeEach(async () => {
  errors = []
  db = await openTestDatabase([LEDGER_MIGRATIONS], NOTES)
  writer = await Writer.open(options())
})

afterEach(async () => {
  await writer.close()
  await expectBooksBalanced(db)
  await db.close()
})

interface Transfer {
  from: string
  to: string
  units: bigint
  owner?: string
  key?: string
}

/** Moves units, as the smallest command there is. */
function transfer({ from, to, units, owner = 'someone', key }: Transfer): Command<{ moved: string; id: string }> {
  return {
    kind: 'transfer',
    owner,
    key,
    payload: { from, to, units: units.toString() },
    preload: [{ account: from, asset: 'USDT' }],
    decide(state, context) {
      if (from !== 'vault' && state.balance(from, 'USDT') < units) throw new Refusal('balance_not_enough')
      const postings = [
        { account: from, asset: 'USDT', units: -units },
        { account: to, asset: 'USDT', units },
      ]
      return {
        entries: [{ kind: 'transfer', reference: context.id('transfer'), postings }],
        response: { moved: units.toString(), id: context.id('transfer') },
      }
    },
  }
}

const units = async (account: string) =>
  (await db.query<{ units: bigint }>(`select units from balances where account = $1 and asset = 'USDT'`, [account]))[0]
    ?.units ?? 0n

const countEntries = async () => (await db.query<{ count: bigint }>('select count(*) as count from entries'))[0]?.count

describe('the writer', () => {
  test('decides commands in order, each seeing the changes of earlier ones', async () => {
    const outcomes = await Promise.allSettled([
      writer.execute(transfer({ from: 'vault', to: 'a', units: 100n })),
      writer.execute(transfer({ from: 'a', to: 'b', units: 60n })),
      writer.execute(transfer({ from: 'a', to: 'c', units: 60n })),
      writer.execute(transfer({ from: 'b', to: 'c', units: 60n })),
    ])
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect([await units('vault'), await units('a'), await units('b'), await units('c')]).toEqual([-100n, 40n, 0n, 60n])
  })

  test('a repeated key returns the first response and moves money once', async () => {
    await writer.execute(transfer({ from: 'vault', to: 'a', units: 100n }))
    const again = () => writer.execute(transfer({ from: 'a', to: 'b', units: 10n, key: 'key-00001' }))
    const [first, second] = await Promise.all([again(), again()])
    const third = await again()
    expect(second).toEqual(first)
    expect(third).toEqual(first)
    expect(await units('b')).toBe(10n)
  })

  test('a repeated key returns the stored refusal after the state changed', async () => {
    const attempt = () => writer.execute(transfer({ from: 'a', to: 'b', units: 10n, key: 'key-00002' }))
    await expect(attempt()).rejects.toMatchObject({ refusal: 'balance_not_enough' })
    await writer.execute(transfer({ from: 'vault', to: 'a', units: 100n }))
    await expect(attempt()).rejects.toMatchObject({ refusal: 'balance_not_enough' })
    expect(await units('b')).toBe(0n)
  })

  test('refuses the same key with another payload as a conflict', async () => {
    await writer.execute(transfer({ from: 'vault', to: 'a', units: 5n, key: 'key-00003' }))
    const other = writer.execute(transfer({ from: 'vault', to: 'a', units: 6n, key: 'key-00003' }))
    await expect(other).rejects.toMatchObject({ refusal: 'conflict' })
    expect(await units('a')).toBe(5n)
  })

  test('treats the same key of another owner as a different key', async () => {
    await writer.execute(transfer({ from: 'vault', to: 'a', units: 5n, key: 'key-00004', owner: 'one' }))
    await writer.execute(transfer({ from: 'vault', to: 'a', units: 6n, key: 'key-00004', owner: 'two' }))
    expect(await units('a')).toBe(11n)
  })

  test('a stored response survives a restart', async () => {
    const command = () => transfer({ from: 'vault', to: 'a', units: 5n, key: 'key-00005' })
    const first = await writer.execute(command())
    await writer.close()
    writer = await Writer.open(options())
    expect(await writer.execute(command())).toEqual(first)
    expect(await units('a')).toBe(5n)
  })

  test('a bug in one command fails that command alone', async () => {
    const buggy: Command<unknown> = {
      ...transfer({ from: 'vault', to: 'a', units: 1n }),
      decide: () => (undefined as unknown as { plan: ReturnType<Command<unknown>['decide']> }).plan,
    }
    const unbalanced: Command<unknown> = {
      ...buggy,
      decide: () => ({
        entries: [
          {
            kind: 'bad',
            reference: '',
            postings: [
              { account: 'vault', asset: 'USDT', units: -1n },
              { account: 'a', asset: 'USDT', units: 2n },
            ],
          },
        ],
        response: {},
      }),
    }
    const outcomes = await Promise.allSettled([
      writer.execute(transfer({ from: 'vault', to: 'a', units: 1n })),
      writer.execute(buggy),
      writer.execute(unbalanced),
      writer.execute({ ...unbalanced, key: 'key-00006', decide: () => ({ response: { notJson: 1n } }) }),
      writer.execute(transfer({ from: 'vault', to: 'a', units: 2n })),
    ])
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ])
    expect(
      outcomes.slice(1, 4).every((outcome) => outcome.status === 'rejected' && outcome.reason instanceof CommandFailed),
    ).toBe(true)
    expect(await units('a')).toBe(3n)
  })

  test('a payload or refusal that JSON cannot hold fails only its command', async () => {
    const pay = (key: string) => transfer({ from: 'vault', to: 'a', units: 1n, key })
    const payload: Command<unknown> = { ...pay('key-00007'), payload: { units: 5n } }
    const refusal: Command<unknown> = {
      ...pay('key-00008'),
      decide: () => {
        throw new Refusal('too_much', { max: 5n })
      },
    }
    const outcomes = await Promise.allSettled(
      [pay('key-00009'), payload, refusal, pay('key-00010')].map((command) => writer.execute(command)),
    )
    expect(outcomes.map((each) => (each.status === 'rejected' ? each.reason.name : 'done'))).toEqual([
      'done',
      'CommandFailed',
      'CommandFailed',
      'done',
    ])
    expect(await units('a')).toBe(2n)
  })

  test('a command that the database rejects fails alone', async () => {
    const note = (text: string): Command<string> => ({
      ...transfer({ from: 'vault', to: 'a', units: 1n }),
      preload: [],
      decide: (state) => ({
        rows: [write(notes, { id: text, text, times: (state.row(notes, text)?.times ?? 0) + 1, at: null })],
        response: text,
      }),
    })
    const outcomes = await Promise.allSettled([
      writer.execute(note('one')),
      writer.execute(note('poison')),
      writer.execute(transfer({ from: 'vault', to: 'a', units: 7n })),
      writer.execute(note('one')),
    ])
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(await db.query('select id, times from test_notes')).toEqual([{ id: 'one', times: 2 }])
    expect(await units('a')).toBe(7n)
  })

  test('loads the missing rows of a list with one statement', async () => {
    let decisions = 0
    const ids = ['one', 'two', 'three']
    const count: Command<number> = {
      ...transfer({ from: 'vault', to: 'a', units: 1n }),
      preload: [],
      decide(state) {
        decisions++
        return { response: state.rows(notes, ids).filter((row) => row !== undefined).length }
      },
    }
    await writer.execute({
      ...count,
      decide: () => ({ rows: [write(notes, { id: 'two', text: 'two', times: 1, at: null })], response: 0 }),
    })
    expect(await writer.execute(count)).toBe(1)
    expect(decisions).toBe(2)
  })

  test('a new writer reads rows back with their types', async () => {
    const row = { id: 'n', text: 'a "quoted", {braced} \\ text', times: 3, at: new Date('2026-01-02T03:04:05.678Z') }
    const base = transfer({ from: 'vault', to: 'a', units: 1n })
    await writer.execute({ ...base, decide: () => ({ rows: [write(notes, row)], response: {} }) } as Command<unknown>)
    await writer.close()
    writer = await Writer.open(options())
    let seen: unknown
    await writer.execute({
      ...base,
      decide(state) {
        seen = state.row(notes, 'n')
        return { response: {} }
      },
    } as Command<unknown>)
    expect(seen).toEqual(row)
  })

  test('a writer commits nothing after another takes its lease', async () => {
    const second = await Writer.open({ ...options(), holder: 'second' })
    await expect(writer.execute(transfer({ from: 'vault', to: 'a', units: 1n }))).rejects.toBeInstanceOf(NotReady)
    await second.execute(transfer({ from: 'vault', to: 'a', units: 2n }))
    await second.close()
    expect(await units('a')).toBe(2n)
    expect(errors).toHaveLength(1)
  })

  test('concurrent commands give the same result as sequential ones', async () => {
    const names = ['vault', 'a', 'b', 'c', 'd']
    const name = (seed: number) => names[seed % names.length] as string
    const expected = new Map<string, bigint>()
    const steps = Array.from({ length: 1_000 }, (_, index) => {
      const [from, to] = [name(index), name(index + 1 + ((index * 7) % 4))]
      return transfer({ from, to, units: BigInt(1 + ((index * 31) % 97)) })
    })
    for (const { payload } of steps) {
      const { from, to, units } = payload as { from: string; to: string; units: string }
      const left = (expected.get(from) ?? 0n) - BigInt(units)
      if (left < 0n && from !== 'vault') continue
      expected.set(from, left).set(to, (expected.get(to) ?? 0n) + BigInt(units))
    }
    await Promise.allSettled(steps.map((step) => writer.execute(step)))
    for (const each of names) expect(await units(each)).toBe(expected.get(each) ?? 0n)
    expect(errors).toEqual([])
  })

  test('rejects commands in flight as not ready after another takes the lease', async () => {
    const second = await Writer.open({ ...options(), holder: 'second' })
    const asked = Array.from({ length: 300 }, () => writer.execute(transfer({ from: 'vault', to: 'a', units: 1n })))
    const outcomes = await Promise.allSettled(asked)
    expect(outcomes.every((each) => each.status === 'rejected' && each.reason instanceof NotReady)).toBe(true)
    await second.close()
    expect(await units('a')).toBe(0n)
  })

  test('a second writer takes over only when the first releases the lease', async () => {
    const second = await Writer.open({ ...options(), holder: 'second', exclusive: false, leaseTtlMs: 300 })
    expect(second.isWriting).toBe(false)
    await writer.close()
    await expect.poll(() => second.isWriting).toBe(true)
    await second.execute(transfer({ from: 'vault', to: 'a', units: 2n }))
    await second.close()
  })

  test('any sequence of transfers leaves exact books and no negative balance', async () => {
    const account = fc.constantFrom('vault', 'a', 'b', 'c')
    const step = fc
      .record({ from: account, to: account, units: fc.bigInt(1n, 1000n) })
      .filter((each) => each.from !== each.to)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        await Promise.allSettled(steps.map((each) => writer.execute(transfer(each))))
        expect(await auditBooks(db)).toEqual([])
      }),
      { numRuns: 12 },
    )
    expect(errors).toEqual([])
  })
})

describe('the database itself', () => {
  beforeEach(async () => {
    await writer.execute(transfer({ from: 'vault', to: 'a', units: 100n }))
  })

  /** Inserts entry 2 with these columns. */
  const insert = (accounts: string, assets: string, amounts: string, balances: string) =>
    db.script(`insert into entries (seq, kind, at, reference, hash, accounts, assets, amounts, balances_after)
      values (2, 'x', now(), '', sha256('x'), '${accounts}', '${assets}', '${amounts}', '${balances}')`)

  const refused = async (work: Promise<unknown>, words: RegExp) => {
    await expect(work).rejects.toThrow(words)
    expect(await countEntries()).toBe(1n)
  }

  test.each([
    'update entries set reference = $$x$$',
    'delete from entries',
    'truncate entries',
    'update owner_postings set units = 1',
    'delete from owner_postings',
    'truncate owner_postings',
  ])('refuses: %s', async (statement) => {
    await refused(db.script(statement), /append_only/)
  })

  test('accepts a balanced entry and shows its postings', async () => {
    await insert('{vault,a,b}', '{USDT,USDT,USDT}', '{-5,4,1}', '{-105,104,1}')
    expect(await db.query('select * from postings where entry_seq = 2 order by position')).toEqual([
      { kind: 'x', entry_seq: 2n, position: 0, account: 'vault', asset: 'USDT', units: -5n, balance_after: -105n },
      { kind: 'x', entry_seq: 2n, position: 1, account: 'a', asset: 'USDT', units: 4n, balance_after: 104n },
      { kind: 'x', entry_seq: 2n, position: 2, account: 'b', asset: 'USDT', units: 1n, balance_after: 1n },
    ])
    expect(await auditBooks(db)).toContain('the hash chain breaks at entry 2')
    // Not part of the chain, so it goes before the books are looked at.
    await db.script(`
      alter table entries disable trigger entries_append_only; delete from entries where seq = 2;
      alter table owner_postings disable trigger owner_postings_append_only; delete from owner_postings where entry_seq = 2`)
  })

  test.each([
    ['does not sum to zero', '{vault,a}', '{USDT,USDT}', '{-5,6}', '{-105,106}'],
    ['balances only across assets', '{vault,a}', '{USDT,BNB}', '{-5,5}', '{-105,5}'],
    ['takes an account below zero', '{a,vault}', '{USDT,USDT}', '{-105,105}', '{-5,5}'],
    ['has a posting of nothing', '{vault,a,b}', '{USDT,USDT,USDT}', '{-5,5,0}', '{-105,105,0}'],
    ['has no balance after a posting', '{vault,a}', '{USDT,USDT}', '{-5,5}', '{-105,NULL}'],
    ['names no account', '{vault,NULL}', '{USDT,USDT}', '{-5,5}', '{-105,105}'],
  ])('refuses an entry that %s', async (_what, accounts, assets, amounts, balances) => {
    await refused(insert(accounts, assets, amounts, balances), /unbalanced/)
  })

  test.each([
    ['has no postings', '{}', '{}', '{}', '{}'],
    ['lacks a part of a posting', '{vault,a}', '{USDT,USDT}', '{-5,5}', '{-105}'],
  ])('refuses an entry that %s', async (_what, accounts, assets, amounts, balances) => {
    await refused(insert(accounts, assets, amounts, balances), /entry_is_whole/)
  })

  test('refuses a balance below zero', async () => {
    await refused(db.script(`update balances set units = -1 where account = 'a'`), /balance_not_negative/)
  })

  test('the audit finds a changed row in owner_postings', async () => {
    await db.script('alter table owner_postings disable trigger owner_postings_append_only')
    await db.script('update owner_postings set balance_after = balance_after - 1')
    expect(await auditBooks(db)).toEqual(['owner_postings differs from entry 1'])
    await db.script('update owner_postings set balance_after = balance_after + 1')
  })

  test('the audit finds a balance that was changed by hand', async () => {
    await db.script(`update balances set units = units + 1 where account = 'a'`)
    expect(await auditBooks(db)).toEqual(['a has a balance of 101 USDT but its postings sum to 100'])
    await db.script(`update balances set units = units - 1 where account = 'a'`)
  })
})
