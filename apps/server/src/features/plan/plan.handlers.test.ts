import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATOR_ACTIONS } from '../../operator-actions.ts'
import { requestSigned } from '../../testing/operate.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { newTrader, reservesOf, swap } from '../../testing/traders.ts'
import { createRunBreaker } from './testing/break-runs.ts'

// Amounts and refusals are decided in create-plan.test.ts, run-limit.test.ts and run-schedule.test.ts.
const changePool = OPERATOR_ACTIONS.find(({ kind }) => kind === 'change_pool')!
const breaker = createRunBreaker()
let server: TestServer
let owner: TestUser
let whale: TestUser
beforeAll(async () => {
  server = await startTestServer({}, { watchDatabase: breaker.wrap })
  owner = await newTrader(server)
  whale = await newTrader(server)
  await whale.transferIn('USDT', '9000')
})
afterAll(() => endExact(server))

const now = async () => new Date((await server.ok('config', {})).time)
const inDays = async (days: number) => new Date((await now()).getTime() + days * 86_400_000).toISOString()
const priceNow = async () => Number((await server.ok('pairs', {}))[0]?.price)
const settle = () => server.ok('localAdvance', { seconds: 2 })

async function limit(more: Partial<Parameters<typeof create>[0]> = {}) {
  return create({ kind: 'limit', price: `${(await priceNow()) * 1.002}`, ends_at: await inDays(30), ...more })
}
function create(
  wish: Omit<Parameters<typeof server.ok<'createPlan'>>[1], 'pool_id' | 'inverse' | 'amount'> & {
    pool_id?: string
    inverse?: 0 | 1
    amount?: string
  },
) {
  return { pool_id: 'bnb-usdt', inverse: 0, amount: '0.1', ...wish } as const
}
const asOwner = () => ({ token: owner.token, key: newKey() })
const planOf = async (planId: string, user = owner) =>
  (await server.ok('plans', {}, { token: user.token })).items.find(({ plan_id }) => plan_id === planId)
const runsOf = async (planId: string) =>
  (await server.ok('planRuns', { plan_id: planId, limit: 100 }, { token: owner.token })).items
const noticesOf = async (planId: string) =>
  (await server.ok('notices', { limit: 100 }, { token: owner.token })).items
    .filter(({ params }) => 'plan_id' in params && params.plan_id === planId)
    .map(({ kind, link }) => ({ kind, link }))

/** Requests a change of the pool as the command line does beside a running server. */
async function requestOfOperator(kind: 'suspended' | 'resumed'): Promise<void> {
  const payload = { pool: 'bnb-usdt', kind, detail: 'test' } as const
  await requestSigned(server, changePool, payload)
  await settle()
}

/** A session ends while the clock moves on for months. */
async function signInAgain(user: TestUser): Promise<TestUser> {
  const { address } = user.account
  const { nonceStr } = await server.ok('getNonce', { address })
  const signature = await user.account.signMessage({ message: nonceStr })
  const { token } = await server.ok('login', { address, signature, device_type: 'web' })
  return { ...user, token }
}

describe('creating a plan', () => {
  test('happens once per key, and its outcome can be found', async () => {
    const wish = await limit({ price: '5000' })
    const options = asOwner()
    const plan = await server.ok('createPlan', wish, options)
    expect(await server.ok('createPlan', wish, options)).toEqual(plan)
    expect(plan).toMatchObject({ kind: 'limit', symbol: 'BNBUSDT', inverse: 0, amount: '0.1', price: '5000' })
    expect(plan).toMatchObject({ status: 'active', reason: null, next_at: null, last_run: null, ends_at: wish.ends_at })
    const asked = { idempotency_key: options.key }
    expect(await server.ok('commandOutcome', asked, options)).toMatchObject({ state: 'done', data: plan })
    expect(await server.call('createPlan', { ...wish, amount: '0.2' }, options)).toMatchObject({ code: 20010 })
    expect(await server.ok('cancelPlan', { plan_id: plan.plan_id }, asOwner())).toMatchObject({ status: 'cancelled' })
  })

  test.each([
    ['ends_at', { kind: 'limit', price: '600' }],
    ['price', { kind: 'limit', ends_at: '2099-01-01' }],
    ['price', { kind: 'limit', price: '0', ends_at: '2099-01-01' }],
    ['slippage', { kind: 'limit', price: '600', slippage: '0.01', ends_at: '2099-01-01' }],
    ['ends_at', { kind: 'limit', price: '600', ends_at: '2020-01-01' }],
    ['ends_at', { kind: 'limit', price: '600', ends_at: '2099-01-01' }],
    ['every', { kind: 'schedule', hour: 3 }],
    ['hour', { kind: 'schedule', every: 'day' }],
    ['price', { kind: 'schedule', every: 'day', hour: 3, price: '600' }],
    ['slippage', { kind: 'schedule', every: 'day', hour: 3, slippage: '0.0301' }],
    ['slippage', { kind: 'schedule', every: 'day', hour: 3, slippage: '0' }],
    ['slippage', { kind: 'schedule', every: 'day', hour: 3, slippage: '0.00001' }],
    ['ends_at', { kind: 'schedule', every: 'day', hour: 3, ends_at: '2020-01-01' }],
    ['hour', { kind: 'schedule', every: 'day', hour: 24 }],
  ] as const)('names the field %s of %j', async (field, wish) => {
    const reply = await server.call('createPlan', create(wish), asOwner())
    expect(reply).toMatchObject({ code: 20000, data: { fields: { [field]: expect.any(String) } } })
  })

  test('needs an activated account and a pool', async () => {
    const visitor = await server.newUser()
    const wish = await limit()
    const reply = await server.call('createPlan', wish, { token: visitor.token, key: newKey() })
    expect(reply).toMatchObject({ code: 20003 })
    expect(await server.call('createPlan', { ...wish, pool_id: 'none' }, asOwner())).toMatchObject({ code: 20009 })
    expect(await server.call('createPlan', wish, { key: newKey() })).toMatchObject({ code: 10001 })
  })
})

test('shows and changes a plan for its owner only', async () => {
  const { plan_id } = await server.ok('createPlan', await limit({ price: '5000' }), asOwner())
  const asOther = { token: whale.token, key: newKey() }
  expect(await planOf(plan_id, whale)).toBeUndefined()
  for (const name of ['planRuns', 'pausePlan', 'resumePlan', 'cancelPlan'] as const)
    expect(await server.call(name, { plan_id }, asOther)).toMatchObject({ code: 20009 })
  expect(await server.ok('pausePlan', { plan_id }, asOwner())).toMatchObject({ status: 'paused', reason: 'user' })
  expect(await server.call('pausePlan', { plan_id }, asOwner())).toMatchObject({ code: 20010 })
  expect(await server.ok('resumePlan', { plan_id }, asOwner())).toMatchObject({ status: 'active', reason: null })
  expect(await server.ok('cancelPlan', { plan_id }, asOwner())).toMatchObject({ status: 'cancelled', reason: 'user' })
  expect(await server.call('resumePlan', { plan_id }, asOwner())).toMatchObject({ code: 20010 })
})

test('lists plans and their status by page, the newest first', async () => {
  const ids: string[] = []
  for (const price of ['5001', '5002', '5003'])
    ids.push((await server.ok('createPlan', await limit({ price }), asOwner())).plan_id)
  const first = await server.ok('plans', { status: 'active', limit: 2 }, { token: owner.token })
  expect(first.items.map(({ price }) => price)).toEqual(['5003', '5002'])
  const next = await server.ok(
    'plans',
    { status: 'active', limit: 2, cursor: first.next_cursor ?? '' },
    { token: owner.token },
  )
  expect([next.items.map(({ price }) => price), next.next_cursor]).toEqual([['5001'], null])
  for (const plan_id of ids) await server.ok('cancelPlan', { plan_id }, asOwner())
})

describe('a limit', () => {
  test('is made before commands that come after its price', async () => {
    const wish = await limit({ amount: '0.5' })
    const { plan_id } = await server.ok('createPlan', wish, asOwner())
    expect(await planOf(plan_id)).toMatchObject({ status: 'active' })
    const before = await owner.available('BNB')
    // Until the price is above the limit's, fee and impact included.
    for (let trades = 0; trades < 12 && (await planOf(plan_id))?.status === 'active'; trades++)
      await swap(server, whale, { amount: '700', inverse: 1 })
    expect(await planOf(plan_id)).toMatchObject({ status: 'done', reason: null, last_run: expect.any(String) })
    expect(Number(before) - Number(await owner.available('BNB'))).toBeCloseTo(0.5)
    const [run] = await runsOf(plan_id)
    expect(Number(run?.amount_out)).toBeGreaterThanOrEqual(0.5 * Number(wish.price))
    const { items } = await server.ok('orders', {}, { token: owner.token })
    expect(items[0]).toMatchObject({
      transaction_id: run?.transaction_id,
      amount_in: '0.5',
      amount_out: run?.amount_out,
    })
    await settle()
    expect(await noticesOf(plan_id)).toEqual([{ kind: 'plan_made', link: '/swap/plans' }])
  })

  test('is made at its creation when its price is there', async () => {
    const reserves = await reservesOf(server)
    const { plan_id } = await server.ok('createPlan', await limit({ price: '1', amount: '20' }), asOwner())
    // Its price is there, and its balance is not.
    expect(await planOf(plan_id)).toMatchObject({ status: 'ended', reason: 'balance' })
    expect(await reservesOf(server)).toEqual(reserves)
    await settle()
    expect(await noticesOf(plan_id)).toEqual([{ kind: 'plan_ended', link: '/swap/plans' }])
  })

  test('expires at its date', async () => {
    const { plan_id } = await server.ok(
      'createPlan',
      await limit({ price: '5000', ends_at: await inDays(1) }),
      asOwner(),
    )
    await server.ok('localAdvance', { seconds: 90_000 })
    expect(await planOf(plan_id)).toMatchObject({ status: 'expired', reason: 'date' })
  })
})

describe('a schedule', () => {
  test('skips while its pool is suspended, and a limit waits', async () => {
    await requestOfOperator('suspended')
    // In three hours, in Hong Kong: within the 25 hours that pass below it is due once, at any time of the day.
    const hour = (new Date((await server.ok('config', {})).time).getUTCHours() + 8 + 3) % 24
    const wish = create({ kind: 'schedule', every: 'day', hour, amount: '0.05', slippage: '0.03' })
    const { plan_id } = await server.ok('createPlan', wish, asOwner())
    const waiting = await server.ok('createPlan', await limit({ price: '100' }), asOwner())
    await server.ok('localAdvance', { seconds: 90_000 })
    expect(await runsOf(plan_id)).toMatchObject([{ status: 'skipped', reason: 'suspended', transaction_id: null }])
    expect([(await planOf(waiting.plan_id))?.status, (await planOf(plan_id))?.skipped]).toEqual(['active', 1])
    expect(await noticesOf(plan_id)).toEqual([{ kind: 'plan_skipped', link: '/swap/plans' }])
    await requestOfOperator('resumed')
    await settle()
    expect(await planOf(waiting.plan_id)).toMatchObject({ status: 'done' })
    await server.ok('cancelPlan', { plan_id }, asOwner())
  })

  test('runs monthly for three months, within its hour', async () => {
    const wish = create({ kind: 'schedule', every: 'month', hour: 9, amount: '0.05', slippage: '0.03' })
    const plan = await server.ok('createPlan', wish, asOwner())
    expect(plan).toMatchObject({ every: 'month', hour: 9, slippage: '0.03', price: null })
    expect(plan.next_at).toMatch(/T01:00:00\.000Z$/)
    await server.ok('localAdvance', { seconds: 93 * 86_400 })
    owner = await signInAgain(owner)
    const runs = await runsOf(plan.plan_id)
    expect(runs.length).toBeGreaterThanOrEqual(3)
    expect(runs.map(({ status, reason }) => ({ status, reason }))).toEqual(
      runs.map(() => ({ status: 'made', reason: null })),
    )
    const days = runs.map(({ date }) => date)
    expect([new Set(days).size, days]).toEqual([runs.length, days.toSorted().reverse()])
    for (const { run_at, date } of runs)
      expect(run_at >= `${date}T01:00:00.000Z` && run_at <= `${date}T02:00:01.000Z`).toBe(true)
    const first = await server.ok('planRuns', { plan_id: plan.plan_id, limit: 1 }, { token: owner.token })
    const second = await server.ok(
      'planRuns',
      { plan_id: plan.plan_id, limit: 1, cursor: first.next_cursor ?? '' },
      { token: owner.token },
    )
    expect([...first.items, ...second.items]).toEqual(runs.slice(0, 2))
    await server.ok('cancelPlan', { plan_id: plan.plan_id }, asOwner())
  }, 120_000)
})

// Last: the server is restarted.
describe('a leader that dies around the commit of a run', () => {
  let saver: TestUser
  const asSaver = () => ({ token: saver.token, key: newKey() })
  const held = async () => Number((await balances()).find(({ asset }) => asset === 'BNB')?.available)
  const balances = () => server.ok('balances', {}, { token: saver.token })
  const madeOf = async (plan_id: string) =>
    (await server.ok('planRuns', { plan_id }, { token: saver.token })).items.map(({ status, amount_in }) => [
      status,
      amount_in,
    ])
  const createLimit = async () => {
    const options = asSaver()
    const wish = await limit({ price: '100' })
    return { wish, options, id: (await server.ok('createPlan', wish, options)).plan_id }
  }
  const createSchedule = async () => {
    const wish = create({ kind: 'schedule', every: 'week', hour: 5, slippage: '0.03' })
    return (await server.ok('createPlan', wish, asSaver())).plan_id
  }
  /** Works until a commit broke. */
  async function untilBroken<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = breaker.broken
    const result = await work()
    await expect.poll(() => breaker.broken).toBeGreaterThan(before)
    return result
  }

  test('makes each run once after the restart', async () => {
    saver = await newTrader(server)
    const heldBefore = await held()
    // An hour more than a day passes the whole hour of a run, at any time of the day.
    const passADay = () => server.ok('localAdvance', { seconds: 90_000 }).catch(() => undefined)
    const made = [['made', '0.1']]

    // The commits arrive, and their responses are lost.
    breaker.breaking = 'next after'
    const committedLimit = await untilBroken(createLimit)
    const committedSchedule = await createSchedule()
    breaker.breaking = 'next after'
    await untilBroken(passADay)
    for (const id of [committedLimit.id, committedSchedule]) expect(await madeOf(id)).toEqual(made)

    // No commit arrives until the restart.
    const lostSchedule = await createSchedule()
    breaker.breaking = 'each before'
    const lostLimit = await untilBroken(createLimit)
    await untilBroken(passADay)
    for (const id of [lostLimit.id, lostSchedule]) expect(await madeOf(id)).toEqual([])
    const due = (await server.ok('plans', {}, { token: saver.token })).items.find(
      (each) => each.plan_id === lostSchedule,
    )
    expect(new Date(due?.next_at ?? '') < (await now())).toBe(true)
    for (const { error } of server.errors) expect(String(error)).toMatch(/Connection terminated|the database|lease/)

    breaker.breaking = 'none'
    server = await server.restart()
    await server.ok('localAdvance', { seconds: 5 })
    for (const id of [committedLimit.id, committedSchedule, lostLimit.id, lostSchedule])
      await expect.poll(() => madeOf(id)).toEqual(made)
    expect(heldBefore - (await held())).toBeCloseTo(0.4)
    const { items } = await server.ok('plans', {}, { token: saver.token })
    expect(items.map(({ kind, status }) => `${kind} ${status}`).toSorted()).toEqual([
      'limit done',
      'limit done',
      'schedule active',
      'schedule active',
    ])
    for (const { wish, options, id } of [committedLimit, lostLimit]) {
      expect(await server.ok('createPlan', wish, options)).toMatchObject({ plan_id: id })
      expect(await madeOf(id)).toHaveLength(1)
    }
  }, 120_000)
})
