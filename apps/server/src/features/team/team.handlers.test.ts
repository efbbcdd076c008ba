import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endExact, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'

let server: TestServer
/** An activated user, whose five leads follow. The first of them invited two more, the second of whom is not activated. */
let inviter: TestUser
let leads: TestUser[]
let grandchildren: TestUser[]
let stranger: TestUser

const infoOf = (user: TestUser) => server.ok('userinfo', {}, { token: user.token })
const overviewOf = (user: TestUser) => server.ok('teamOverview', {}, { token: user.token })
const membersOf = (
  user: TestUser,
  payload: { member_id?: string; depth?: number; search?: string; cursor?: string; limit?: number } = {},
) => server.call('teamMembers', payload, { token: user.token })
const short = (user: TestUser) => `${user.account.address.slice(0, 6)}…${user.account.address.slice(-4)}`

/** Users with 490 USDT who are activated in their order, with the same inviter. */
async function activated(count: number, pid?: string): Promise<TestUser[]> {
  const users: TestUser[] = []
  for (let each = 0; each < count; each++) users.push(await server.newUser(pid === undefined ? {} : { pid }))
  await Promise.all(users.map((user) => user.transferIn('USDT', '500')))
  for (const user of users) await user.activateByBalance()
  return users
}

async function swap(user: TestUser, amount: string) {
  const { time } = await server.ok('config', {})
  const deadline = new Date(new Date(time).getTime() + 600_000).toISOString()
  const payload = { pool_id: 'bnb-usdt', inverse: 1, amount, min_amount_out: '0', deadline } as const
  return server.ok('doSwap', payload, { token: user.token })
}

beforeAll(async () => {
  server = await startTestServer()
  ;[inviter] = (await activated(1)) as [TestUser]
  stranger = await server.newUser({ faucet: false })
  const pid = (await infoOf(inviter)).invite_code
  leads = await activated(5, pid)
  const lead = (await infoOf(leads[0] as TestUser)).invite_code
  grandchildren = [...(await activated(1, lead)), await server.newUser({ pid: lead, faucet: false })]
})
afterAll(() => endExact(server))

describe('the team', () => {
  test('counts direct and all members, and those activated', { tags: ['§2.75'] }, async () => {
    expect(await overviewOf(inviter)).toMatchObject({ direct: 5, direct_activated: 5, total: 7, total_activated: 6 })
    expect(await overviewOf(leads[0] as TestUser)).toMatchObject({
      direct: 2,
      direct_activated: 1,
      total: 2,
      total_activated: 1,
    })
    expect(await overviewOf(stranger)).toMatchObject({ direct: 0, direct_activated: 0, total: 0, total_activated: 0 })
  })

  test('the fifth activated lead has raised the level', { tags: ['§1.11', '§9.10'] }, async () => {
    const { level, next_level_progress: progress, invite_code, link } = await overviewOf(inviter)
    expect([level, progress]).toEqual([1, { level: 2, lead_level: 1, leads: 0, leads_needed: 5 }])
    expect(link).toBe(`${server.url}/?pid=${invite_code}`)
    expect([(await infoOf(inviter)).level, (await infoOf(leads[0] as TestUser)).level]).toEqual([1, 0])
    const first = await overviewOf(leads[0] as TestUser)
    expect(first.next_level_progress).toEqual({ level: 1, lead_level: 0, leads: 1, leads_needed: 5 })
  })

  test('lists direct leads newest first, page by page', async () => {
    const first = await server.ok('teamMembers', { limit: 3 }, { token: inviter.token })
    const rest = await server.ok('teamMembers', { limit: 3, cursor: first.next_cursor ?? '' }, { token: inviter.token })
    expect([...first.items, ...rest.items].map(({ address }) => address)).toEqual(leads.map(short).toReversed())
    expect(rest.next_cursor).toBeNull()
    expect(rest.items.at(-1)).toMatchObject({ depth: 1, activated: true, level: 0, direct: 2, total_activated: 1 })
  })

  test('lists the leads of a member and a whole depth', { tags: ['§6.04'] }, async () => {
    const { items } = await server.ok('teamMembers', {}, { token: inviter.token })
    const member_id = items.at(-1)?.member_id ?? ''
    const below = await server.ok('teamMembers', { member_id }, { token: inviter.token })
    expect(below.items.map(({ address, depth, activated }) => [address, depth, activated])).toEqual([
      [short(grandchildren[1] as TestUser), 2, false],
      [short(grandchildren[0] as TestUser), 2, true],
    ])
    expect((await membersOf(inviter, { depth: 2 })).data.items).toEqual(below.items)
    expect((await membersOf(inviter, { depth: 3 })).data).toEqual({ items: [], next_cursor: null })
  })

  test('finds a member by the start of an address', async () => {
    const [, other] = grandchildren as [TestUser, TestUser]
    for (const search of [other.id.slice(0, 12), other.id.slice(2, 12).toUpperCase(), short(other)])
      expect((await membersOf(inviter, { search })).data.items).toMatchObject([{ address: short(other), depth: 2 }])
    expect((await membersOf(leads[1] as TestUser, { search: other.id })).data.items).toEqual([])
    expect(await membersOf(inviter, { search: '0x1' })).toMatchObject({ code: 20000 })
  })

  test('shows no member of another team', async () => {
    const [mine] = (await membersOf(inviter)).data.items
    for (const user of [stranger, grandchildren[0] as TestUser])
      expect(await membersOf(user, { member_id: mine?.member_id ?? '' })).toMatchObject({ code: 20009 })
    expect(await membersOf(inviter, { member_id: '999999' })).toMatchObject({ code: 20009 })
    expect(await membersOf(stranger, { cursor: mine?.member_id ?? '' })).toMatchObject({ code: 20000 })
  })

  test('notifies of activated leads and of the new level, once', async () => {
    await server.ok('localAdvance', { seconds: 2 })
    const noticesOf = async () => (await server.ok('notices', {}, { token: inviter.token })).items
    // A look of the job's timer may be sending them in this moment.
    await expect.poll(noticesOf).toHaveLength(1 + leads.length)
    const items = await noticesOf()
    expect(items.map(({ kind, params, link }) => [kind, params, link])).toEqual([
      ['level_up', { level: 1, at: expect.any(String) }, '/team'],
      ...leads.toReversed().map((lead) => ['lead_activated', { lead: short(lead), at: expect.any(String) }, '/team']),
    ])
    expect(await server.db.query('select id from team_events')).toEqual([])
  })
})

describe('referral shares', () => {
  test('each names the swap that paid it, and they add up', async () => {
    const [lead] = leads as [TestUser]
    const done = [await swap(lead, '100'), await swap(lead, '50')]
    await swap(grandchildren[0] as TestUser, '100')
    const { items, next_cursor } = await server.ok('referralShares', { limit: 1 }, { token: inviter.token })
    const rest = await server.ok('referralShares', { cursor: next_cursor ?? '' }, { token: inviter.token })
    // 50 × 0.08 % × 20 %, and 100 × 0.08 % × 20 %.
    expect([...items, ...rest.items]).toMatchObject([
      { transaction_id: done[1]?.transaction_id, amount: '0.008', sold: '50', fee: '0.125', lead: short(lead) },
      { transaction_id: done[0]?.transaction_id, amount: '0.016', sold: '100', fee: '0.25', pool_id: 'bnb-usdt' },
    ])
    await server.ok('localAdvance', { seconds: 2 })
    expect((await overviewOf(inviter)).earned).toEqual([{ asset: 'USDT', amount: '0.024', shares: 2 }])
    // A grandchild's swap pays its own inviter alone.
    expect((await overviewOf(lead)).earned).toEqual([{ asset: 'USDT', amount: '0.016', shares: 1 }])
  })

  test('recruiting pays nothing', async () => {
    const before = await inviter.available('USDT')
    const { invite_code: pid } = await infoOf(inviter)
    await activated(1, pid)
    expect(await inviter.available('USDT')).toBe(before)
    expect(parseEther(before)).toBe(parseEther('490.024'))
  })
})

describe('the ranks', () => {
  test('list volume and activated leads, with my own place', { tags: ['§1.15'] }, async () => {
    const [lead] = leads as [TestUser]
    const board = async (board: 'volume' | 'leads', user?: TestUser) => {
      const { items, me } = await server.ok('rankList', { board, period: 'day' }, user ? { token: user.token } : {})
      return { places: items.map(({ rank, address, value }) => [rank, address, value]), me }
    }
    await server.ok('localAdvance', { seconds: 2 })
    expect(await board('volume', lead)).toEqual({
      places: [
        [1, short(lead), '150'],
        [2, short(grandchildren[0] as TestUser), '100'],
      ],
      me: { rank: 1, value: '150', hidden: false },
    })
    expect(await board('leads')).toEqual({
      places: [
        [1, short(inviter), '6'],
        [2, short(lead), '1'],
      ],
      me: undefined,
    })
    expect((await board('leads', stranger)).me).toEqual({ rank: null, value: '0', hidden: false })
  })

  test('a hidden user takes no place', async () => {
    const [lead] = leads as [TestUser]
    const hide = (hidden: 0 | 1) => server.ok('setRankVisibility', { hidden }, { token: lead.token })
    expect(await hide(1)).toEqual({ hidden: true })
    await swap(lead, '10')
    await server.ok('localAdvance', { seconds: 2 })
    const list = () => server.ok('rankList', { board: 'volume', period: 'all' }, { token: lead.token })
    const hidden = await list()
    expect([hidden.items.length, hidden.me]).toEqual([1, { rank: null, value: '160', hidden: true }])
    await hide(0)
    expect((await list()).me).toEqual({ rank: 1, value: '160', hidden: false })
  })

  test('an unknown token gets the list without a place', async () => {
    const list = await server.ok('rankList', { board: 'leads', period: 'week' }, { token: 'unknown' })
    expect([list.items.length > 0, list.me]).toEqual([true, undefined])
  })

  test('list the computing power of clicked boxes', async () => {
    const [lead] = leads as [TestUser]
    await swap(inviter, '100')
    // Fees count from the next day on.
    await server.ok('localAdvance', { seconds: 86_400 })
    for (const user of [lead, inviter, grandchildren[0]] as TestUser[])
      await server.ok('clickBox', {}, { token: user.token })
    await server.ok('localAdvance', { seconds: 2 })
    const { items } = await server.ok('rankList', { board: 'power', period: 'all' })
    // 0.08 % of the USDT that each sold. The inviter has level 1: a factor of 1.02.
    expect(items.map(({ address, value }) => [address, value])).toEqual([
      [short(lead), '0.128'],
      [short(inviter), '0.0816'],
      [short(grandchildren[0] as TestUser), '0.08'],
    ])
  })
})

test('the database refuses to change an inviter', async () => {
  const [top, lead] = [await server.newUser(), await server.newUser()]
  const change = server.db.query('update users set parent_id = $1 where id = $2', [lead.id, top.id])
  await expect(change).rejects.toThrow('the inviter of a user never changes')
})
