import { formatEther, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RT_EARNINGS, RT_PROGRAM } from '../../platform/ledger/accounts.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { findHubFaults } from './check-hub.ts'
import { hubSteps, newUid } from './testing/hub-steps.ts'
import { testUpgrades } from './testing/test-upgrades.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() =>
  endExact(server, {
    first: async () => expect(await findHubFaults(server.db)).toEqual([]),
  }),
)

const { newMember, overview, deposit, request, approve, collect, takeBack, leave, advance, unitsOf } = hubSteps(
  () => server,
)

test('links one UID to one account, and renames it', { tags: ['§2.86', '§1.13'] }, async () => {
  const [alice, bob] = [await newMember(), await newMember()]
  const { uid } = await overview(alice)
  const link = (user: TestUser, number: string) =>
    server.call('linkUid', { uid: number, name: 'Name' }, { token: user.token, key: newKey() })
  expect(await link(alice, newUid())).toMatchObject({ code: 20010, data: { reason: 'already_linked' } })
  const carol = await server.newUser()
  expect(await link(carol, newUid())).toMatchObject({ code: 20003 })
  expect(await server.call('renameUid', { name: 'Carol' }, { token: carol.token, key: newKey() })).toMatchObject({
    code: 20020,
  })
  await carol.transferIn('USDT', '10')
  await carol.activateByBalance()
  expect(await link(carol, uid ?? '')).toMatchObject({ code: 20010, data: { reason: 'uid_taken' } })
  expect(await link(carol, '12345')).toMatchObject({
    code: 20000,
    msg: 'Invalid input',
    data: { fields: { uid: '6 to 20 digits' } },
  })
  const renamed = await server.ok('renameUid', { name: ' 小明 ' }, { token: bob.token, key: newKey() })
  expect(renamed.name).toBe('小明')
})

test('two accounts that link one UID together: one gets it', async () => {
  const users = [await newMember({ uid: null }), await newMember({ uid: null })]
  const uid = newUid()
  const link = ({ token }: TestUser) => server.call('linkUid', { uid, name: 'Name' }, { token, key: newKey() })
  const both = await Promise.all(users.map(link))
  expect(both.map(({ code }) => code).toSorted()).toEqual([1, 20010])
  const linked = await Promise.all(users.map(async (user) => (await overview(user)).uid))
  expect(linked.filter((each) => each === uid)).toHaveLength(1)
})

test('deposits RT up to the highest level and the wallet balance', { tags: ['§2.89', '§5.10'] }, async () => {
  const user = await newMember({ rt: '30000' })
  const { wallet_balance: wallet } = await overview(user)
  const after = (amount: string) => formatEther(parseEther(wallet) - parseEther(amount))
  expect(await deposit(user, formatEther(parseEther(wallet) + 1n))).toMatchObject({
    code: 20002,
    msg: 'RT balance is insufficient',
    data: { available: wallet },
  })
  expect(await deposit(user, '25600.000000000000000001')).toMatchObject({ code: 20006, data: { max: '25600' } })
  expect(await server.ok('previewDeposit', { amount: '250' }, { token: user.token })).toEqual({
    amount: '250',
    deposit: '250',
    wallet_balance: after('250'),
    missing: '0',
    progress: '1',
    enough_for: 2,
  })
  expect((await deposit(user, '45')).data).toMatchObject({
    next: 1,
    deposit: '45',
    required: '100',
    missing: '55',
    progress: '0.45',
    wallet_balance: after('45'),
  })
  expect(await request(user)).toMatchObject({
    code: 20014,
    msg: 'Deposit more RT first',
    data: { required: '100', missing: '55' },
  })

  // It carries no star, so it comes back immediately, with its own entry.
  expect((await takeBack(user)).data).toMatchObject({ deposit: '0', spare: '0', wallet_balance: wallet })
  expect(await takeBack(user)).toMatchObject({ code: 20010, data: { reason: 'nothing_to_return' } })
  const { items } = await server.ok('logs', { kind: 'rt_take_back' }, { token: user.token })
  expect(items.map(({ amount, place }) => [amount, place])).toContainEqual(['45', 'available'])
})

test('a step down withdraws the request and returns the deposit later', async () => {
  const parent = await newMember()
  const user = await newMember({ parent, rt: '100' })
  const { wallet_balance } = await overview(user)
  await deposit(user, '100')
  const { request_id } = (await request(user)).data
  // At the same moment: one of them decides first, and the other one finds it.
  const race = await Promise.all([approve(parent, request_id), leave(user), request(user)])
  expect(race.map(({ code }) => code)).toEqual([1, 1, 20010])
  const { star, step_down } = await overview(user)
  expect([star, step_down?.amount]).toEqual([1, '100'])
  expect(await takeBack(user)).toMatchObject({ code: 20010, data: { reason: 'nothing_to_return' } })
  expect(await leave(user)).toMatchObject({ code: 20010, data: { reason: 'stepping_down' } })
  expect(await deposit(user, '1')).toMatchObject({ code: 20010, data: { reason: 'stepping_down' } })
  // The parent stays signed in.
  await advance(4 * DAY)
  await overview(parent)
  await advance(3 * DAY - HOUR)
  expect((await overview(user)).deposit).toBe('100')
  await advance(HOUR)
  expect(await overview(user)).toMatchObject({ star: 0, deposit: '0', wallet_balance, step_down: null })

  await deposit(user, '100')
  const again = (await request(user)).data
  expect(await leave(user)).toMatchObject({ code: 20010, data: { reason: 'no_star' } })
  expect((await takeBack(user)).data).toMatchObject({ deposit: '0', wallet_balance, request: null })
  expect(await approve(parent, again.request_id)).toMatchObject({ code: 20010, data: { reason: 'withdrawn' } })
  const { items } = await server.ok('richRequests', {}, { token: user.token })
  expect(items.map(({ status }) => status)).toEqual(['Withdrawn', 'Passed'])
})

test('releases each day from the programme, exactly, and pays on collecting', { tags: ['§2.87'] }, async () => {
  const [one, two] = [await newMember({ rt: '200' }), await newMember({ rt: '200' })]
  await deposit(one, '100')
  await deposit(two, '200')
  await request(one)
  await request(two)
  await advance(DAY)
  await request(two)
  await advance(DAY)
  await collect(two)
  const before = { program: await unitsOf(RT_PROGRAM), earnings: await unitsOf(RT_EARNINGS) }
  const { to_be_earned, next_release_at } = await overview(two)
  await advance(1)
  const terms = await server.ok('richProgram', {})
  expect(terms).toMatchObject({
    release_rate: '0.0005',
    max_per_weight: '0.1',
    at_genesis: '30000000',
    next_release_at,
  })
  expect(to_be_earned).toBe('0.2')
  expect(terms.stars[1]).toMatchObject({ star: 2, required: '200', weight: 2 })
  await advance(3 * DAY)
  const { items } = await server.ok('richReleases', { limit: 3 })
  const released = items.reduce((sum, each) => sum + BigInt(each.per_weight) * BigInt(each.weight), 0n)
  expect(before.program - (await unitsOf(RT_PROGRAM))).toBe(released)
  expect((await unitsOf(RT_EARNINGS)) - before.earnings).toBe(released)
  expect(formatEther(BigInt(items.at(-1)!.per_weight) * 2n)).toBe(to_be_earned)

  const { to_be_collected, wallet_balance } = await overview(two)
  const collected = formatEther(parseEther(wallet_balance) + parseEther(to_be_collected))
  expect((await collect(two)).data).toMatchObject({ wallet_balance: collected, to_be_collected: '0' })
  expect(await collect(two)).toMatchObject({ code: 20010, data: { reason: 'nothing_to_collect' } })
  const candles = await server.ok('richEarnings', { interval: '1d' }, { token: two.token })
  // The running total: 0.1 RT of the first whole day, and three days of two units.
  expect(candles).toMatchObject([
    { open: '0', high: '0.1', low: '0', close: '0.1', volume: '0.1' },
    { open: '0.1', close: '0.1', volume: '0' },
    { open: '0.1', close: '0.1', volume: '0' },
    { open: '0.1', high: '0.7', low: '0.1', close: '0.7', volume: '0.6' },
  ])
  const { items: logs } = await server.ok('logs', { kind: 'rt_collection' }, { token: two.token })
  expect(logs).toMatchObject([{ amount: to_be_collected, place: 'available' }, { amount: '0.1' }])
})

test('the terms name the share that a new star then earns', { tags: ['§6.06'] }, async () => {
  const user = await newMember({ rt: '100' })
  await deposit(user, '100')
  await advance(1)
  const { stars } = await server.ok('richProgram', {})
  expect(stars.map(({ star, required }) => [star, required]).slice(0, 3)).toEqual([
    [1, '100'],
    [2, '200'],
    [3, '400'],
  ])
  await request(user)
  expect((await overview(user)).to_be_earned).toBe('0')
  await advance(DAY)
  expect(await overview(user)).toMatchObject({ to_be_earned: stars[0]?.next_share, counts_from: null })
})

describe('upgrades', () => testUpgrades(() => server))
