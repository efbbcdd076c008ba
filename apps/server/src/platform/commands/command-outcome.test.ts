import type { LookedUpCommand, PayloadInput } from '@clearwell/api/routes'
import { Refusal } from '@clearwell/ledger/refusal'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { Writer } from '@clearwell/ledger/writer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { type CommandDependencies, commandHandlers, type StoredAs } from './command-outcome.ts'
import { createRunningCommands } from './running-commands.ts'

const NOW = new Date('2026-11-23T04:00:00.000Z')
const ALICE = '0xa1'
const BOB = '0xb0'
const KEY = 'alices-key'
const NOTHING = { code: null, msg: null, data: null, expires_at: null, retention_days: 30, time: NOW.toISOString() }

/** Runs `use` on a ledger with this call, which knows the stored form of the kind `pay`. */
async function withOutcomes(
  use: (ledger: {
    writer: Writer
    running: ReturnType<typeof createRunningCommands>
    /** Executes a command of Alice's with the key. */
    execute: (kind: string, response: unknown) => Promise<unknown>
    outcome: (owner?: string, key?: string) => Promise<unknown>
  }) => Promise<void>,
  outcomes: CommandDependencies['outcomes'] = new Map([['pay', { kind: 'pay' }]]),
): Promise<void> {
  const db = await openTestDatabase()
  const clock = { now: () => NOW }
  const writer = await Writer.open({
    db,
    clock,
    randomId: () => 'id',
    holder: 'test',
    leaseTtlMs: 60_000,
    exclusive: true,
  })
  const running = createRunningCommands()
  const { commandOutcome } = commandHandlers({ db, writer, clock, running, outcomes, retentionDays: 30 })
  await use({
    writer,
    running,
    execute: (kind, response) =>
      writer.execute({
        kind,
        owner: ALICE,
        key: KEY,
        payload: {},
        preload: [],
        decide() {
          if (response instanceof Refusal) throw response
          return { response }
        },
      }),
    async outcome(owner = ALICE, key = KEY) {
      const user = { id: owner, parentId: null, tokenHash: '' }
      return commandOutcome(
        { idempotency_key: key },
        { locale: 'en', idempotencyKey: undefined, clientAddress: '', user },
      )
    },
  })
  await writer.close()
  await expectBooksBalanced(db)
  await db.close()
}

describe('the outcome of a command', () => {
  test('is its response, until the key may be forgotten', async () => {
    await withOutcomes(async ({ execute, outcome }) => {
      await execute('pay', { paid: '5' })
      expect(await outcome()).toEqual({
        ...NOTHING,
        state: 'done',
        code: 1,
        msg: 'ok',
        data: { paid: '5' },
        expires_at: '2026-12-23T04:00:00.000Z',
      })
    })
  })

  test('is its refusal, with the message in the language of the request', async () => {
    await withOutcomes(async ({ execute, outcome }) => {
      await execute('pay', new Refusal('exceeds_lending_pool', { max: '3' })).catch(() => {})
      const msg = 'Exceeds the maximum available balance in the lending pool'
      expect(await outcome()).toMatchObject({ state: 'done', code: 20004, msg, data: { max: '3' } })
    })
  })

  test('is unknown to another account, and for another key', async () => {
    await withOutcomes(async ({ execute, outcome }) => {
      await execute('pay', { paid: '5' })
      expect(await outcome(BOB)).toEqual({ ...NOTHING, state: 'unknown' })
      expect(await outcome(ALICE, 'another-key')).toEqual({ ...NOTHING, state: 'unknown' })
    })
  })

  test('is pending while its request is handled here', async () => {
    await withOutcomes(async ({ running, outcome }) => {
      const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const both = [first, second].map(({ promise }) => running.during(ALICE, KEY, () => promise))
      expect(await outcome()).toEqual({ ...NOTHING, state: 'pending' })
      expect(await outcome(BOB)).toMatchObject({ state: 'unknown' })
      first.resolve()
      await both[0]
      expect(await outcome()).toMatchObject({ state: 'pending' })
      second.reject(new Error('lost'))
      await Promise.allSettled(both)
      expect(await outcome()).toMatchObject({ state: 'unknown' })
    })
  })

  test('waits for a command that is still queued', async () => {
    await withOutcomes(async ({ execute, outcome }) => {
      const [, found] = await Promise.all([execute('pay', { paid: '5' }), outcome()])
      expect(found).toMatchObject({ state: 'done', data: { paid: '5' } })
    })
  })

  test('hides a stored response of an undeclared form', async () => {
    await withOutcomes(async ({ execute, outcome }) => {
      await execute('secret', { seed: '7' })
      expect(await outcome()).toMatchObject({ state: 'done', code: 1, data: null })
    })
  })

  test('is read by its feature, which may refuse', async () => {
    const read: StoredAs<never>['read'] = (({ seed }: { seed: string }) => {
      if (seed === '8') throw new Refusal('trading_suspended', { reason: 'operator' })
      return { opened: seed } as never
    }) as never
    const outcomes = new Map([['secret', { kind: 'secret', read }]])
    await withOutcomes(async ({ execute, outcome }) => {
      await execute('secret', { seed: '7' })
      expect(await outcome()).toMatchObject({ code: 1, data: { opened: '7' } })
    }, outcomes)
    await withOutcomes(async ({ execute, outcome }) => {
      await execute('secret', { seed: '8' })
      expect(await outcome()).toMatchObject({ state: 'done', code: 20005, data: { reason: 'operator' } })
    }, outcomes)
  })
})

describe('the commands of the product', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => endExact(server))

  /** Executes a command and compares its outcome with its response. */
  async function run<Name extends LookedUpCommand>({ token }: TestUser, name: Name, payload: PayloadInput<Name>) {
    const key = newKey()
    const response = await server.ok(name, payload, { token, key })
    const outcome = await server.ok('commandOutcome', { idempotency_key: key }, { token })
    // The response to a transfer out goes on to change: the signer has signed it, the chain confirms it.
    const expected = name === 'sell' ? { order_id: (response as { order_id: string }).order_id } : response
    expect(outcome, name).toMatchObject({ state: 'done', code: 1, data: expected })
    return response
  }

  /** Moves the clock to nine in the morning of the next day in Hong Kong. */
  async function goToNextDay(): Promise<void> {
    const [{ ends_at }, { time }] = [await server.ok('boxRules', {}), await server.ok('config', {})]
    await server.ok('localAdvance', {
      seconds: Math.ceil((Date.parse(ends_at) - Date.parse(time)) / 1_000) + 9 * 3_600,
    })
  }

  test('have outcomes equal to their responses', async () => {
    const parent = await server.newUser()
    const { invite_code: pid } = await server.ok('userinfo', {}, { token: parent.token })
    const user = await server.newUser({ pid })
    for (const each of [parent, user]) {
      await each.transferIn('USDT', '9000')
      await each.transferIn('BNB', '9')
      await run(each, 'activeByBalance', {})
    }
    await server.ok('localAdvance', { seconds: 1 })
    await server.ok('localPrice', { symbol: 'BNBUSDT', price: '601' })

    await run(parent, 'linkUid', { uid: '100001', name: 'Parent' })
    await run(user, 'linkUid', { uid: '100002', name: 'Child' })
    await run(user, 'renameUid', { name: '小明' })
    const limits = { max_amount_in: '2000', deadline: '2099-01-01T00:00:00Z' }
    await run(user, 'doSwap', { pool_id: 'rt-usdt', amount: '300', inverse: 1, exact: 'out', ...limits })
    await run(user, 'depositRt', { amount: '300' })
    const { request_id } = await run(user, 'requestUpgrade', {})
    await run(parent, 'approveUpgrade', { request_id })
    await run(user, 'takeBackRt', {})

    await run(user, 'pledge', { asset: 'USDT', amount: '5000' })
    await run(user, 'unpledge', { asset: 'USDT', amount: '10' })
    const terms = { collateral_asset: 'BNB', borrow_asset: 'USDT', term_days: 7 } as const
    const loan = await run(parent, 'lend', { ...terms, collateral_amount: '1', borrow_amount: '390' })
    await run(parent, 'addCollateral', { order_id: loan.order_id, amount: '0.5' })
    await run(parent, 'removeCollateral', { order_id: loan.order_id, amount: '0.5' })
    await run(parent, 'repay', { order_id: loan.order_id, amount: '1' })
    await server.ok('localPrice', { symbol: 'BNBUSDT', price: '430' })
    await run(user, 'liquidate', { order_id: loan.order_id })
    await server.ok('localPrice', { symbol: 'BNBUSDT', price: '601' })
    await run(user, 'sell', { asset: 'USDT', amount: '10' })

    await goToNextDay()
    await run(user, 'clickBox', {})
    await goToNextDay()
    await run(user, 'claimBoxes', {})
    await run(user, 'collectRt', {})
    await run(user, 'stepDown', {})
  }, 120_000)
})
