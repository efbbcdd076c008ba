import { beforeEach, describe, expect, test } from 'vitest'
import { Batch, type Outcome, type Waiting } from './batch.ts'
import { CommittedCache } from './book.ts'
import { type Command, type Plan, type State, write } from './command.ts'
import type { Database } from './database.ts'
import { GENESIS_HASH } from './entry-hash.ts'
import { Refusal } from './refusal.ts'
import { column, defineWriterTable, forever } from './table.ts'
import { transfer } from './transfer.ts'

const orders = defineWriterTable('orders', forever('a test'), { id: column.text })
const NOW = new Date('2026-11-22T12:00:00Z')

interface StoredRow {
  readonly owner: string
  readonly key: string
  readonly payload_hash: string
  readonly outcome: Outcome
}

/** The database: balances by account, and responses. */
let balances: Record<string, bigint>
let stored: StoredRow[]
let queries: string[]
const db = {
  query: async (text: string, params: readonly string[] = []) => {
    queries.push(text)
    if (text.includes('command_outcomes'))
      return stored.filter(({ owner, key }) => params[0] === `{${owner}}` && params[1] === `{${key}}`)
    if (text.includes('from balances')) {
      const accounts = params[0]?.slice(1, -1).split(',') ?? []
      return accounts.flatMap((account) =>
        balances[account] === undefined ? [] : [{ account, asset: 'USDT', units: balances[account] }],
      )
    }
    return []
  },
} as unknown as Database

let cache: CommittedCache
beforeEach(() => {
  balances = { ann: 10n }
  stored = []
  queries = []
  cache = new CommittedCache()
})

const newBatch = (more: Partial<ConstructorParameters<typeof Batch>[0]> = {}) =>
  new Batch({
    ...{ db, cache, tip: { seq: 0n, hash: GENESIS_HASH, at: undefined }, before: undefined, startedMs: 0 },
    ...more,
  })

/** Pays from Ann to Ben, and says what Ann has left. */
function pay(units: bigint, more: Partial<Command<unknown>> = {}): Command<unknown> {
  return {
    kind: 'pay',
    owner: 'ann',
    payload: { units: String(units) },
    preload: [],
    decide(state: State): Plan<unknown> {
      const left = state.balance('ann', 'USDT') - units
      if (left < 0n) throw new Refusal('balance_not_enough', { missing: String(-left) })
      const postings = transfer({ from: 'ann', to: 'ben', asset: 'USDT', units })
      return { entries: [{ kind: 'pay', reference: 'r', postings }], response: { left: String(left) } }
    },
    ...more,
  }
}

const waiting = (command: Command<unknown>): Waiting => ({
  command,
  context: { now: NOW, id: (label) => label },
  resolve: () => undefined,
  reject: () => undefined,
})

/** The decisions of commands that one batch decides together. */
async function decide(batch: Batch, ...commands: Command<unknown>[]): Promise<unknown[]> {
  const from = batch.decided.length
  await batch.decide(commands.map(waiting))
  return batch.decided.slice(from).map(({ decision }) => ('bug' in decision ? decision : decision.outcome))
}

const paid = (left: string) => ({ ok: { left } })
const REUSED = { refusal: 'conflict', data: { reason: 'key_reused' } }

describe('commands of a batch', () => {
  test('are decided one after another', async () => {
    const batch = newBatch()
    const lacking = { refusal: 'balance_not_enough', data: { missing: '1' } }
    expect(await decide(batch, pay(4n), pay(7n), pay(6n))).toEqual([paid('6'), lacking, paid('0')])
    expect(batch.book.balance('ben', 'USDT')).toBe(10n)
    expect(batch.waiting).toHaveLength(3)
  })

  test('with a bug change nothing, and the others go on', async () => {
    const batch = newBatch()
    const bug = new TypeError('a bug')
    const broken = pay(4n, {
      decide: () => {
        throw bug
      },
    })
    const unbalanced = pay(1n, {
      decide: () => ({
        entries: [{ kind: 'pay', reference: 'r', postings: [{ account: 'ann', asset: 'USDT', units: -1n }] }],
        response: null,
      }),
    })
    const [first, second, third] = await decide(batch, broken, unbalanced, pay(4n))
    expect(first).toEqual({ bug })
    expect(second).toMatchObject({ bug: { message: expect.stringContaining('two postings') } })
    expect([third, batch.book.entries.length]).toEqual([paid('6'), 1])
  })

  test('load what they read, and are decided again', async () => {
    let times = 0
    const counted = pay(4n)
    const decideOnce = counted.decide
    const command = pay(4n, {
      decide: (state, context) => {
        times++
        return decideOnce(state, context)
      },
    })
    const batch = newBatch()
    expect(await decide(batch, command)).toEqual([paid('6')])
    // Ann's balance is loaded at the decision, Ben's when the plan is applied.
    expect(times).toBe(3)
    const preload = ['ann', 'ben'].map((account) => ({ account, asset: 'USDT' }))
    times = 0
    cache = new CommittedCache()
    expect(await decide(newBatch(), { ...command, preload })).toEqual([paid('6')])
    expect(times).toBe(1)
  })

  test('have a bug where they need more than 64 loads', async () => {
    const reading = (rows: number) =>
      pay(0n, {
        decide: (state) => {
          for (let id = 0; id < rows; id++) state.row(orders, String(id))
          return { response: 'read' }
        },
      })
    expect(await decide(newBatch(), reading(64))).toEqual([{ ok: 'read' }])
    cache = new CommittedCache()
    expect(await decide(newBatch(), reading(65))).toMatchObject([{ bug: { message: 'not loaded' } }])
  })
})

describe('a command with a key', () => {
  test('is decided once within a batch', async () => {
    const batch = newBatch()
    const command = pay(4n, { key: 'k' })
    expect(await decide(batch, command, command)).toEqual([paid('6'), paid('6')])
    expect(await decide(batch, command)).toEqual([paid('6')])
    expect([batch.book.entries.length, batch.book.balance('ann', 'USDT')]).toEqual([1, 6n])
    expect([...batch.responses.values()]).toMatchObject([
      { owner: 'ann', key: 'k', kind: 'pay', json: '{"ok":{"left":"6"}}', at: NOW },
    ])
  })

  test('is refused with another payload or of another kind', async () => {
    const batch = newBatch()
    const commands = [pay(4n, { key: 'k' }), pay(5n, { key: 'k' }), pay(4n, { key: 'k', kind: 'give' })]
    expect(await decide(batch, ...commands)).toEqual([paid('6'), REUSED, REUSED])
    expect(batch.book.entries).toHaveLength(1)
  })

  test('shares it with no other owner', async () => {
    const commands = [pay(4n, { key: 'k' }), pay(4n, { key: 'k', owner: 'ben' })]
    expect(await decide(newBatch(), ...commands)).toEqual([paid('6'), paid('2')])
  })

  test('keeps its refusal, and no bug', async () => {
    const batch = newBatch()
    const tooMuch = pay(11n, { key: 'k' })
    const refused = { refusal: 'balance_not_enough', data: { missing: '1' } }
    expect(await decide(batch, tooMuch, tooMuch)).toEqual([refused, refused])
    const bug = new Error('once')
    const broken = pay(1n, {
      key: 'b',
      decide: () => {
        throw bug
      },
    })
    expect(await decide(batch, broken, pay(1n, { key: 'b' }))).toEqual([{ bug }, paid('9')])
    expect([...batch.responses.keys()]).toHaveLength(2)
  })

  test('gets the response that the database has', async () => {
    const first = newBatch()
    await decide(first, pay(4n, { key: 'k' }))
    const payloadHash = [...first.responses.values()][0]?.payloadHash ?? ''
    stored = [{ owner: 'ann', key: 'k', payload_hash: payloadHash, outcome: paid('99') }]
    const next = newBatch()
    expect(await decide(next, pay(4n, { key: 'k' }))).toEqual([paid('99')])
    expect(await decide(next, pay(5n, { key: 'k' }))).toEqual([REUSED])
    expect([next.book.entries.length, next.responses.size]).toEqual([0, 0])
  })

  test('gets the response of a batch that is still being written', async () => {
    const first = newBatch()
    await decide(first, pay(4n, { key: 'k' }))
    const second = newBatch({ before: first })
    await decide(second, pay(1n, { key: 'other' }))
    const third = newBatch({ before: second })
    expect(await decide(third, pay(4n, { key: 'k' }))).toEqual([paid('6')])
    expect(third.book.tip.seq).toBe(2n)
    first.commitToCache()
    // From here on the database has the response of the first, and the batch after it needs not know it.
    const fourth = newBatch({ before: second })
    expect(await decide(fourth, pay(1n, { key: 'other' }), pay(4n, { key: 'k' }))).toEqual([paid('5'), paid('1')])
  })

  test.each<[string, Partial<Command<unknown>>]>([
    ['a payload', { payload: { units: 4n } }],
    ['a response', { decide: () => ({ response: 4n }) }],
    [
      'a refusal',
      {
        decide: () => {
          throw new Refusal('balance_not_enough', { missing: 4n })
        },
      },
    ],
  ])('with %s beyond JSON has a bug, alone', async (_what, change) => {
    const batch = newBatch()
    const [first, second] = await decide(batch, pay(4n, { key: 'k', ...change }), pay(4n))
    expect(first).toMatchObject({ bug: expect.any(TypeError) })
    expect([second, batch.responses.size]).toEqual([paid('6'), 0])
  })
})

test('a response without a key may be any value', async () => {
  expect(await decide(newBatch(), pay(4n, { decide: () => ({ response: 4n }) }))).toEqual([{ ok: 4n }])
})

test('a committed batch leaves its changes in the cache', async () => {
  const batch = newBatch()
  await decide(batch, pay(4n))
  batch.commitToCache()
  expect([cache.balances.get('USDT', 'ann'), cache.balances.get('USDT', 'ben')]).toEqual([6n, 4n])
})

test('keys are looked up only where a command has one', async () => {
  await decide(newBatch(), pay(4n))
  expect(queries.some((text) => text.includes('command_outcomes'))).toBe(false)
})

test('admission comes before the decision, and its key is loaded', async () => {
  const admission = {
    keyOf: () => ({ account: 'stop', asset: 'USDT' }),
    admit: (_command: unknown, state: State) => {
      if (state.balance('stop', 'USDT') > 0n) throw new Refusal('stopped')
    },
  }
  const preload = ['ann', 'ben'].map((account) => ({ account, asset: 'USDT' }))
  expect(await decide(newBatch({ admission }), pay(4n, { preload }))).toEqual([paid('6')])
  expect(queries).toHaveLength(1)
  balances = { ann: 10n, stop: 1n }
  cache = new CommittedCache()
  expect(await decide(newBatch({ admission }), pay(4n))).toEqual([{ refusal: 'stopped', data: {} }])
})

test('rows are added to those of each plan', async () => {
  const order = (id: string) => write(orders, { id })
  const completion = { keysOf: () => [{ table: orders, id: 'known' }], rowsFor: () => [order('added')] }
  const batch = newBatch({ completion })
  await decide(batch, pay(1n, { decide: () => ({ rows: [order('own')], response: null }) }))
  expect(['own', 'added'].map((id) => batch.book.row(orders, id))).toEqual([{ id: 'own' }, { id: 'added' }])
  expect(batch.book.row(orders, 'known')).toBeUndefined()
  const other = newBatch({ completion })
  await decide(other, pay(4n))
  expect([other.book.row(orders, 'added'), other.book.entries.length]).toEqual([{ id: 'added' }, 1])
})

test('a batch without its state has a fault and decides nothing', async () => {
  const fault = new Error('no connection')
  const broken = { query: () => Promise.reject(fault) } as unknown as Database
  const preload = [{ account: 'ann', asset: 'USDT' }]
  for (const command of [pay(4n, { key: 'k' }), pay(4n, { preload, decide: () => ({ response: 'needs nothing' }) })]) {
    const batch = newBatch({ db: broken })
    expect(await decide(batch, command)).toEqual([])
    expect(batch.fault).toBe(fault)
  }
})
