import { formatEther, parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RT_EARNINGS, RT_PROGRAM } from '../../platform/ledger/accounts.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { findHubFaults } from './check-hub.ts'
import { richConfig, richRules } from './rich.config.ts'
import { richHandlers } from './rich.handlers.ts'
import type { RichStore } from './rich.store.ts'
import { NEW_PROGRAM } from './rich-books.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
}, 60_000)
afterAll(() =>
  endExact(server, {
    first: async () => expect(await findHubFaults(server.db)).toEqual([]),
    mayReport: true,
  }),
)

let uids = 100_000
const newUid = () => String(++uids)

/** An activated account with RT that was bought from the pool, and a linked UID unless it is null. */
async function newMember({
  parent,
  rt = '0',
  uid = newUid(),
}: {
  parent?: TestUser
  rt?: string
  uid?: string | null
} = {}): Promise<TestUser> {
  const pid = parent && (await server.ok('userinfo', {}, { token: parent.token })).invite_code
  const user = await server.newUser(pid === undefined ? {} : { pid })
  await user.transferIn('USDT', '10')
  await user.activateByBalance()
  if (rt !== '0') {
    await user.transferIn('USDT', '9000')
    await buyRt(user, rt)
  }
  if (uid !== null) await server.ok('linkUid', { uid, name: 'Member' }, { token: user.token, key: newKey() })
  return user
}

/** Buys at least so much RT from the pool. */
async function buyRt({ token }: TestUser, amount: string): Promise<void> {
  const swap = { pool_id: 'rt-usdt', amount, inverse: 1, exact: 'out', max_amount_in: '9000' } as const
  await server.ok('doSwap', { ...swap, deadline: '2099-01-01T00:00:00Z' }, { token, key: newKey() })
}

const overview = ({ token }: TestUser) => server.ok('richOverview', {}, { token })
const deposit = ({ token }: TestUser, amount: string) => server.call('depositRt', { amount }, { token, key: newKey() })
const request = ({ token }: TestUser) => server.call('requestUpgrade', {}, { token, key: newKey() })
const approve = ({ token }: TestUser, request_id: string) =>
  server.call('approveUpgrade', { request_id }, { token, key: newKey() })
const collect = ({ token }: TestUser) => server.call('collectRt', {}, { token, key: newKey() })
const takeBack = ({ token }: TestUser) => server.call('takeBackRt', {}, { token, key: newKey() })
const leave = ({ token }: TestUser) => server.call('stepDown', {}, { token, key: newKey() })
const advance = (seconds: number) => server.ok('localAdvance', { seconds })
const noticesOf = async ({ token }: TestUser) =>
  (await server.ok('notices', {}, { token })).items
    .map(({ kind }) => kind)
    .filter((kind) => kind.startsWith('upgrade'))
    .toReversed()
const unitsOf = async (account: string) =>
  (
    await server.db.query<{ units: bigint }>(`select units from balances where account = $1 and asset = 'RT'`, [
      account,
    ])
  )[0]?.units ?? 0n

test('links one UID to one account, and renames it', async () => {
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

test('deposits RT up to the highest level and the wallet balance', async () => {
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

test('a parent approves a request, and only once', async () => {
  const grandparent = await newMember()
  const parent = await newMember({ parent: grandparent })
  const child = await newMember({ parent, rt: '300' })
  const stranger = await newMember()
  await deposit(child, '300')
  // Of ten requests at the same moment one is opened, so the parent gets one notice.
  const asked = await Promise.all(Array.from({ length: 10 }, () => request(child)))
  expect(asked.map(({ code }) => code).toSorted()).toEqual([1, ...Array(9).fill(20010)])
  const { data } = asked.find(({ code }) => code === 1)!
  expect(data).toMatchObject({ star: 1, status: 'Requested', passed_at: null, passed_by: null })
  expect(await request(child)).toMatchObject({
    code: 20010,
    data: { reason: 'request_open', request_id: data.request_id },
  })
  for (const other of [grandparent, stranger, child]) expect((await approve(other, data.request_id)).code).toBe(20009)
  await advance(1)
  const { items } = await server.ok('richChildren', {}, { token: parent.token })
  const waiting = { request_id: data.request_id, star: 1, status: 'Requested', passes_at: data.passes_at }
  expect(items).toMatchObject([{ name: 'Member', level: 0, star: 0, request: waiting }])
  expect(Date.parse(data.passes_at ?? '') - Date.parse(data.created_at)).toBe(72 * HOUR * 1_000)
  expect(await noticesOf(parent)).toEqual(['upgrade_requested'])

  const both = await Promise.all([approve(parent, data.request_id), approve(parent, data.request_id)])
  expect(both.map(({ code }) => code).toSorted()).toEqual([1, 20010])
  expect((await server.ok('userinfo', {}, { token: child.token })).star).toBe(1)
  expect((await server.ok('richRequests', {}, { token: child.token })).items).toMatchObject([
    { status: 'Passed', star: 1, passed_by: 'parent' },
  ])
  await advance(1)
  expect(await noticesOf(child)).toEqual(['upgrade_passed'])
})

test('a request without a response passes by the system', async () => {
  const parent = await newMember({ parent: await newMember() })
  const child = await newMember({ parent, rt: '100' })
  await deposit(child, '100')
  const { request_id } = (await request(child)).data
  await advance(72 * HOUR)
  expect(await approve(parent, request_id)).toMatchObject({ code: 20010, data: { reason: 'already_passed' } })
  const { items } = await server.ok('richRequests', {}, { token: child.token })
  expect(items).toMatchObject([{ request_id, status: 'Passed', passes_at: null, passed_by: 'system' }])
  expect((await overview(child)).star).toBe(1)
  expect(await noticesOf(child)).toEqual(['upgrade_passed'])
})

test('an account gets one star a day, by inviter or system', async () => {
  const top = await newMember({ rt: '200' })
  const child = await newMember({ parent: top, rt: '200' })
  for (const user of [top, child]) await deposit(user, '200')
  expect((await request(top)).data).toMatchObject({ status: 'Passed', passed_by: 'system' })
  const first = (await request(child)).data
  expect((await approve(top, first.request_id)).data).toMatchObject({ status: 'Passed', passed_by: 'parent' })
  const { next_release_at: midnight, counts_from } = await overview(top)
  expect(counts_from).toBe(midnight)
  for (const user of [top, child])
    expect(await request(user)).toMatchObject({
      code: 20008,
      msg: 'Not open now',
      data: { reason: 'one_star_a_day', opens_at: midnight },
    })
  await advance(DAY)
  expect((await request(top)).data).toMatchObject({ star: 2, status: 'Passed' })
  expect((await request(child)).data).toMatchObject({ star: 2, status: 'Requested' })
})

test('lists each child once, the one with the latest request first', async () => {
  const parent = await newMember()
  const quiet = await newMember({ parent })
  const busy = await newMember({ parent, rt: '200' })
  await newMember({ parent, uid: null })
  await deposit(busy, '200')
  for (let star = 1; star <= 2; star++) {
    await approve(parent, (await request(busy)).data.request_id)
    await advance(DAY)
  }
  const { items } = await server.ok('richChildren', {}, { token: parent.token })
  expect(items.map(({ uid }) => uid)).toEqual([(await overview(busy)).uid, (await overview(quiet)).uid])
  expect(items).toMatchObject([
    { star: 2, level: 0, request: { star: 2, status: 'Passed', passes_at: null } },
    { star: 0, level: 0, request: null },
  ])
  const first = await server.ok('richChildren', { limit: 1 }, { token: parent.token })
  const rest = await server.ok('richChildren', { limit: 1, cursor: first.next_cursor ?? '' }, { token: parent.token })
  expect([...first.items, ...rest.items]).toEqual(items)
  expect(rest.next_cursor).toBeNull()
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

test('releases each day from the programme, exactly, and pays on collecting', async () => {
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

test('the terms name the share that a new star then earns', async () => {
  const user = await newMember({ rt: '100' })
  await deposit(user, '100')
  await advance(1)
  const { stars } = await server.ok('richProgram', {})
  await request(user)
  expect((await overview(user)).to_be_earned).toBe('0')
  await advance(DAY)
  expect(await overview(user)).toMatchObject({ to_be_earned: stars[0]?.next_share, counts_from: null })
})

test('all visitors share one read of the programme a second', async () => {
  let [reads, nowMs] = [0, Date.parse('2026-11-23T04:00:00Z')]
  const store = {
    async program() {
      reads += 1
      return { program: NEW_PROGRAM, remaining: 0n, atGenesis: 0n }
    },
  } as Partial<RichStore> as RichStore
  const rules = richRules({ rich: richConfig.shape.rich.parse(undefined) })
  const clock = { now: () => new Date(nowMs) }
  const { richProgram } = richHandlers({ store, rules, clock, writer: undefined as never })
  const visit = () => richProgram({}, undefined as never)
  await Promise.all([visit(), visit(), visit()])
  expect(reads).toBe(1)
  nowMs += 1_000
  await visit()
  expect(reads).toBe(2)
})
