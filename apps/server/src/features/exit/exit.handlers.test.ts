import { afterAll, beforeAll, expect, test } from 'vitest'
import { newMember } from '../../testing/new-member.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { swapPayload } from '../../testing/traders.ts'

let server: TestServer
let user: TestUser
beforeAll(async () => {
  server = await startTestServer()
  const pledger = await newMember(server, { USDT: '1000' })
  await server.ok('pledge', { asset: 'USDT', amount: '1000' }, { token: pledger.token, key: newKey() })
  user = await newMember(server, { BNB: '3', USDT: '100' })
}, 120_000)
afterAll(() => endExact(server))

const asUser = () => ({ token: user.token, key: newKey() })

test('an account that leaves repays and adds collateral at first, and reads', async () => {
  await server.ok('localPrice', { symbol: 'BNBUSDT', price: '600' })
  const terms = { collateral_asset: 'BNB', borrow_asset: 'USDT', term_days: 7 } as const
  const loan = await server.ok('lend', { ...terms, collateral_amount: '1', borrow_amount: '200' }, asUser())
  const { order_id } = loan
  // The writer keeps rows in memory: a new one reads the row.
  const now = (await server.ok('config', {})).time
  const row = `insert into exits (id, state, exit_at, block, changed_at) values ($1, 'requested', $2, 1, $2)`
  await server.db.query(row, [user.id, now])
  server = await server.restart()
  for (const reply of [
    await server.call('doSwap', await swapPayload(server, { amount: '0.1' }), asUser()),
    await server.call('sell', { asset: 'BNB', amount: '0.1' }, asUser()),
    await server.call('buy', { asset: 'USDT', amount: '10' }, asUser()),
    await server.call('pledge', { asset: 'USDT', amount: '10' }, asUser()),
    await server.call('removeCollateral', { order_id, amount: '0.1' }, asUser()),
    await server.call('clickBox', {}, asUser()),
  ])
    expect(reply).toMatchObject({ status: 200, code: 20016 })
  await server.ok('addCollateral', { order_id, amount: '0.5' }, asUser())
  await server.ok('repay', { order_id, amount: '50' }, asUser())
  expect((await server.ok('commandOutcome', { idempotency_key: newKey() }, asUser())).state).toBe('unknown')
  await server.ok('balances', {}, asUser())
}, 60_000)

test('there is no exit to find without a vault with exits', async () => {
  expect(await server.call('proofExit', {}, asUser())).toMatchObject({ code: 20009 })
})

test('there is no canary to find without its address', async () => {
  expect((await server.ok('config', {})).canary).toBeNull()
  expect(await server.call('proofCanary', {})).toMatchObject({ status: 404, code: 20009 })
  expect(await server.call('proofCanary', { limit: 101 })).toMatchObject({ status: 400, code: 20000 })
})
