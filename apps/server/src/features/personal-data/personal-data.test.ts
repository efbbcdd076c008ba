import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DATA_GROUPS } from '@clearwell/api/personal-data.routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userAccounts } from '../../platform/ledger/accounts.ts'
import { TABLES } from '../../tables.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { GROUP_OF_TABLE, KEPT_BECAUSE, LEFT_OUT } from './data-groups.ts'
import { hasAccounts, ownerColumns } from './own-rows.ts'

let server: TestServer
/** Has used what a user can use without other users. */
let user: TestUser
let inviter: TestUser

beforeAll(async () => {
  server = await startTestServer()
  inviter = await server.newUser({ faucet: false })
  const { invite_code: pid } = await server.ok('userinfo', {}, { token: inviter.token })
  user = await server.newUser({ pid })
  await user.transferIn('USDT', '500')
  await user.transferIn('BNB', '2')
  await user.activateByBalance()
  const { token } = user
  const deadline = new Date((await server.ok('config', {})).time).getTime() + 600_000
  const swap = { pool_id: 'bnb-usdt', amount: '0.1', inverse: 0, min_amount_out: '0' } as const
  await server.ok('doSwap', { ...swap, deadline: new Date(deadline).toISOString() }, { token })
  await server.ok('pledge', { asset: 'USDT', amount: '20' }, { token })
  await server.ok('sell', { asset: 'USDT', amount: '10' }, { token })
  await server.ok('clickBox', {}, { token })
  await server.ok('setAlert', { symbol: 'BNBUSDT', direction: 'above', price: '99999' }, { token, key: newKey() })
}, 120_000)
afterAll(() => endExact(server, {}))

interface Part {
  readonly group: string
  readonly table: string
  readonly kept: string
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly is_complete: boolean
}

async function fileOf({ token }: TestUser): Promise<{ text: string; parts: Part[]; headers: object; address: string }> {
  const reply = await server.app.inject({ method: 'GET', url: '/api/profile/data', headers: { 'xx-token': token } })
  return { text: reply.body, headers: reply.headers, ...JSON.parse(reply.body) }
}
const rowsIn = (parts: readonly Part[], table: string) => parts.find((each) => each.table === table)?.rows ?? []

describe('the tables with rows about a user', () => {
  test('are all in a group', () => {
    const described = TABLES.filter((table) => ownerColumns(table).length > 0 || hasAccounts(table)).map(
      ({ name }) => name,
    )
    const named = [...Object.keys(GROUP_OF_TABLE), ...Object.keys(LEFT_OUT)]
    expect(described.filter((name) => !named.includes(name))).toEqual([])
    expect(Object.keys(GROUP_OF_TABLE).filter((name) => !described.includes(name))).toEqual([])
  })

  test('are all that hold the address of a user', async () => {
    const found: string[] = []
    for (const { name } of TABLES) {
      const rows = await server.db.query(`select 1 from ${name} t where t::text like $1 limit 1`, [`%${user.id}%`])
      if (rows.length > 0) found.push(name)
    }
    const named = [...Object.keys(GROUP_OF_TABLE), ...Object.keys(LEFT_OUT)]
    expect(found).toEqual(expect.arrayContaining(['swap_orders', 'pledges', 'boxes', 'alerts', 'withdrawal_orders']))
    expect(found.filter((name) => !named.includes(name))).toEqual([])
  })

  test('have an index that begins with the user', async () => {
    const indexed = await server.db.query<{ column: string }>(
      `select relname || '.' || attname as column from pg_index join pg_class on pg_class.oid = indrelid
       join pg_attribute on attrelid = indrelid and attnum = indkey[0] where indpred is null or relname = 'operator_actions'`,
    )
    const inFile = TABLES.filter(({ name }) => name in GROUP_OF_TABLE)
    const columns = inFile.flatMap((table) => ownerColumns(table).map((column) => `${table.name}.${column}`))
    expect(columns.filter((each) => !indexed.some(({ column }) => column === each))).toEqual([])
  })

  test('are all on the page', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../../../docs/reference/personal-data.md'), 'utf8')
    const named = [...Object.keys(GROUP_OF_TABLE), ...Object.keys(LEFT_OUT)]
    expect(named.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })
})

describe('the file', () => {
  test('has each table with its retention and the rows of the user', async () => {
    const { parts, headers, address } = await fileOf(user)
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="clearwell-data-\d{4}-\d\d-\d\d\.json"$/),
    })
    expect(address).toBe(user.id)
    expect(parts.map(({ table }) => table).toSorted()).toEqual(Object.keys(GROUP_OF_TABLE).toSorted())
    expect(parts.filter(({ is_complete: isComplete }) => !isComplete)).toEqual([])
    expect(parts.find(({ table }) => table === 'sessions')?.kept).toMatch(/^30 days after the session expired/)
    expect(parts.find(({ table }) => table === 'push_subscriptions')?.kept).toMatch(
      /^1 day after its session signed out/,
    )
    expect(rowsIn(parts, 'users')).toMatchObject([{ id: user.id }])
    expect(rowsIn(parts, 'swap_orders')).toMatchObject([{ pool_id: 'bnb-usdt', amount_in: '100000000000000000' }])
    const { items } = await server.ok('logs', { limit: 100 }, { token: user.token })
    expect(rowsIn(parts, 'owner_postings')).toEqual(items.toReversed())
    expect(rowsIn(parts, 'balances')).toContainEqual({ place: 'locked', asset: 'USDT', amount: '10' })
  })

  test('has no secret and no whole address of another user', async () => {
    const { text, parts } = await fileOf(user)
    const [session] = rowsIn(parts, 'sessions')
    expect(Object.keys(session ?? {}).toSorted()).toEqual(['created_at', 'last_used_at', 'revoked_at', 'user_id'])
    expect(text.toLowerCase()).not.toContain(inviter.id)
    expect(rowsIn(parts, 'users')[0]?.parent_id).toMatch(/^0x.{4}….{4}$/)
  })

  test('needs a session', async () => {
    const reply = await server.app.inject({ method: 'GET', url: '/api/profile/data' })
    expect(reply.json()).toMatchObject({ code: 10001 })
  })
})

describe('erasing', () => {
  const erase = ({ token }: TestUser) => server.ok('eraseData', {}, { token, key: newKey() })
  const count = async (table: string, { id }: TestUser) =>
    (await server.db.query(`select 1 from ${table} where user_id = $1`, [id])).length
  const books = () =>
    server.db.query('select * from balances where account = any($1::text[]) order by 1, 2', [userAccounts(user.id)])

  test('deletes notices, alerts and other sessions, and no row of another user', async () => {
    const other = await server.newUser()
    for (const each of [user, other]) {
      await server.db.query(
        `with last as (update last_notice set notice = notice + 1 returning notice)
         insert into notices (id, user_id, kind, key, params, created_at)
         select notice, $1, 'sessions_revoked', 'k', '{"reason":"r"}', now() from last`,
        [each.id],
      )
      await server.db.query(
        `insert into sessions (token_hash, user_id, created_at, last_used_at) values ($1 || 'x', $1, now(), now())`,
        [each.id],
      )
    }
    await server.db.query(`update users set nickname = 'Ann' where id = any($1::text[])`, [[user.id, other.id]])
    const before = await books()
    const { erased, kept } = await erase(user)
    expect(erased).toEqual(
      expect.arrayContaining([
        { what: 'alerts', rows: 1 },
        { what: 'sessions', rows: 1 },
        { what: 'account', rows: 1 },
      ]),
    )
    expect(erased.find(({ what }) => what === 'notices')?.rows).toBeGreaterThanOrEqual(1)
    expect(kept.map(({ what, why }) => [what, why])).toEqual(Object.entries(KEPT_BECAUSE))
    expect(await Promise.all(['notices', 'alerts', 'sessions'].map((table) => count(table, user)))).toEqual([0, 0, 1])
    expect(await Promise.all(['notices', 'sessions'].map((table) => count(table, other)))).toEqual([1, 2])
    const names = await server.db.query('select nickname from users where id = any($1::text[]) order by 1', [
      [user.id, other.id],
    ])
    expect(names).toEqual([{ nickname: '' }, { nickname: 'Ann' }])
    expect(await books()).toEqual(before)
  })

  test('finds nothing a second time, and the session still works', async () => {
    const { erased } = await erase(user)
    expect(erased.filter(({ rows }) => rows > 0)).toEqual([])
    expect(await server.ok('userinfo', {}, { token: user.token })).toMatchObject({ id: user.id, activated: true })
    expect((await server.ok('logs', {}, { token: user.token })).items.length).toBeGreaterThan(3)
  })

  test('says until when responses to repeated commands are kept', async () => {
    const { time } = await server.ok('config', {})
    const { kept } = await erase(user)
    const { until } = kept.find(({ what }) => what === 'commands') ?? {}
    const days = (new Date(until ?? 0).getTime() - new Date(time).getTime()) / 86_400_000
    expect(Math.round(days)).toBe(30)
  })
})

test('the list of what is stored names every group with its days', async () => {
  const { groups } = await server.ok('storedData', {})
  expect(groups.map(({ group }) => group)).toEqual([...DATA_GROUPS])
  expect(groups.filter(({ days }) => days !== null)).toEqual([
    { group: 'sessions', days: 30, can_erase: true },
    { group: 'devices', days: 1, can_erase: true },
    { group: 'alerts', days: 90, can_erase: true },
    { group: 'commands', days: 30, can_erase: false },
  ])
  // Sessions are both: all but the one that asks.
  const erasable = groups.filter((each) => each.can_erase).map(({ group }) => group)
  expect(erasable).toEqual(['sessions', 'devices', 'notices', 'alerts'])
})
