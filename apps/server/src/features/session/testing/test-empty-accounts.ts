import { beforeAll, describe, expect, test } from 'vitest'
import { TABLES } from '../../../tables.ts'
import type { TestServer, TestUser } from '../../../testing/server.ts'
import { createEmptyAccounts } from '../empty-accounts.store.ts'

const DAY_S = 24 * 3600
const DAY_MS = DAY_S * 1000
const accounts = createEmptyAccounts(TABLES)

let server: TestServer

/** Tests the deletion of empty accounts on the server of its feature, whose watcher reads blocks on request only. */
export function testEmptyAccounts(running: () => TestServer): void {
  beforeAll(() => {
    server = running()
  })
  describe('an account that was never used', testUnused)
  describe('an account is kept', testKept)
  describe('a deletion', testDeletion)
}

const now = async () => new Date((await server.ok('localAdvance', { seconds: 1 })).time)

/** Moves an account's sign-in and sessions into the past. */
async function age(user: TestUser, days: number): Promise<void> {
  const at = new Date((await now()).getTime() - days * DAY_MS)
  await server.db.query('update users set created_at = $2 where id = $1', [user.id, at])
  await server.db.query('update sessions set created_at = $2, last_used_at = $2 where user_id = $1', [user.id, at])
}

/** Runs the daily jobs once. */
const passADay = () => server.ok('localAdvance', { seconds: DAY_S })
const isKept = async ({ id }: TestUser) => (await server.db.query('select from users where id = $1', [id])).length === 1

async function signInAgain(user: TestUser, pid?: string) {
  const { nonceStr } = await server.ok('getNonce', { address: user.account.address })
  const signature = await user.account.signMessage({ message: nonceStr })
  return server.ok('login', { address: user.account.address, signature, device_type: 'web', pid })
}

function testUnused(): void {
  /**
   * @attack S05 Free sign-ins from one address left 21 million rows and tree members a day, for ever.
   * @holds An account that was never used is deleted 30 days after the end of its last session, also from its team.
   */
  test('is deleted with its parent and leaves its team', async () => {
    const parent = await server.newUser({ faucet: false })
    const other = await server.newUser({ faucet: false })
    const { invite_code: pid } = await server.ok('userinfo', {}, { token: parent.token })
    const { invite_code: otherPid } = await server.ok('userinfo', {}, { token: other.token })
    const user = await server.newUser({ faucet: false, pid })
    expect((await server.ok('userinfo', {}, { token: user.token })).parent).not.toBeNull()
    expect(await server.ok('teamOverview', {}, { token: parent.token })).toMatchObject({ direct: 1, total: 1 })

    await age(user, 35)
    await passADay()
    expect(await isKept(user)).toBe(true)
    await age(user, 38)
    await passADay()
    expect([await isKept(user), await isKept(parent)]).toEqual([false, true])
    expect(await server.ok('teamOverview', {}, { token: parent.token })).toMatchObject({ direct: 0, total: 0 })
    expect((await server.ok('teamMembers', {}, { token: parent.token })).items).toEqual([])

    // Signing in again is a first login.
    const again = await signInAgain(user, otherPid)
    expect(again.user.parent?.toLowerCase()).toBe(`${other.id.slice(0, 6)}…${other.id.slice(-4)}`)
    expect(await server.ok('teamOverview', {}, { token: other.token })).toMatchObject({ direct: 1, total: 1 })
  })

  test('goes after its own leads are gone', async () => {
    const parent = await server.newUser({ faucet: false })
    const { invite_code: pid } = await server.ok('userinfo', {}, { token: parent.token })
    const lead = await server.newUser({ faucet: false, pid })
    await age(parent, 60)
    await passADay()
    expect(await isKept(parent)).toBe(true)
    await age(lead, 60)
    await passADay()
    await passADay()
    expect([await isKept(parent), await isKept(lead)]).toEqual([false, false])
  })
}

function testKept(): void {
  /**
   * @attack R13 The rule of deletion said "holds nothing", and forgot an open order and an unconfirmed payment.
   * @holds An order, a payment on its way and an entry keep the account; a payment that comes later finds its sender.
   */
  test('while it has an order or a payment on its way', async () => {
    const ordered = await server.newUser({ faucet: false })
    await server.ok('buy', { asset: 'USDT', amount: '10' }, { token: ordered.token })
    const paying = await server.newUser()
    const active = await server.newUser({ faucet: false })
    await server.ok('active', {}, { token: active.token })
    const linked = await server.newUser()
    await linked.transferIn('USDT', '100')
    for (const user of [ordered, paying, active, linked]) await age(user, 60)
    await server.db.query(
      `insert into pending_movements (id, chain_id, account, asset, units, tx_hash, log_index, block_number, block_hash)
       values ('1:0x1:0', '31337', $1, 'USDT', 1, '0x1', 0, 1, '0x1')`,
      [paying.id],
    )
    await expectKept([ordered, paying, active, linked])
    await server.db.query(`delete from pending_movements where id = '1:0x1:0'`)
  })

  async function expectKept(users: readonly TestUser[]): Promise<void> {
    const empty = await readEmpty(await now())
    expect(users.filter(({ id }) => empty.includes(id))).toEqual([])
  }

  const readEmpty = async (before: Date) =>
    (await accounts.readAfter(server.db, { after: 0, before, limit: 10_000 })).empty.map(({ id }) => id)

  test('when it signs in between the look and the deletion', async () => {
    const user = await server.newUser({ faucet: false })
    await age(user, 60)
    const before = new Date((await now()).getTime() - 37 * DAY_MS)
    const { empty } = await accounts.readAfter(server.db, { after: 0, before, limit: 10_000 })
    const found = empty.filter(({ id }) => id === user.id)
    expect(found).toHaveLength(1)
    await signInAgain(user)
    const deleted = await server.db.transaction((tx) => accounts.delete(tx, found, { before, now: before }))
    expect([deleted, await isKept(user)]).toEqual([0, true])
  })
}

function testDeletion(): void {
  /**
   * @attack R20 An account is deleted while its payment is not seen yet.
   * @holds The late payment is credited to its sender, who finds it at the next sign-in.
   */
  test('a payment after the deletion is credited to its sender', async () => {
    const user = await server.newUser()
    const order = await server.ok('buy', { asset: 'USDT', amount: '25' }, { token: user.token })
    await age(user, 60)
    // The order is gone too: it expired long ago.
    await server.db.query('delete from deposit_orders where user_id = $1', [user.id])
    await passADay()
    expect(await isKept(user)).toBe(false)
    await user.pay('USDT', order)
    await server.watcher.poll()
    const { token } = await signInAgain(user)
    const balances = await server.ok('balances', {}, { token })
    expect(balances.find(({ asset }) => asset === 'USDT')?.available).toBe('25')
  })

  test('every column that refers to users says what it means to them', async () => {
    const referring = await server.db.query<{ column: string }>(
      `select relname || '.' || attname as column from pg_constraint
       join pg_class on pg_class.oid = conrelid
       join pg_attribute on attrelid = conrelid and attnum = any(conkey)
       where contype = 'f' and confrelid = 'users'::regclass and conrelid <> confrelid`,
    )
    const described = TABLES.flatMap(({ name, kinds }) =>
      Object.entries(kinds).flatMap(([column, { unusedUser }]) => (unusedUser ? [`${name}.${column}`] : [])),
    )
    expect(described).toEqual(expect.arrayContaining(referring.map(({ column }) => column)))
  })
}
