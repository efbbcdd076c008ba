import type { RouteName } from '@clearwell/api/routes'
import { routes } from '@clearwell/api/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OperatorAction } from '../../platform/operator/operator-action.ts'
import { newMember } from '../../testing/new-member.ts'
import { requestSigned } from '../../testing/operate.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { swapPayload } from '../../testing/traders.ts'
import { freezeAccount, unfreezeAccount } from './freeze-account.ts'

let server: TestServer
let user: TestUser
beforeAll(async () => {
  server = await startTestServer()
  const pledger = await newMember(server, { USDT: '1000' })
  await server.ok('pledge', { asset: 'USDT', amount: '1000' }, { token: pledger.token, key: newKey() })
  user = await newMember(server, { BNB: '3', USDT: '100' })
})
afterAll(() => endExact(server))

const asUser = () => ({ token: user.token, key: newKey() })
async function act<Payload extends { address: string }>(
  action: OperatorAction<Payload>,
  more: Omit<Payload, 'address'>,
) {
  await requestSigned(server, action, { address: user.id, ...more } as Payload)
  await server.ok('localAdvance', { seconds: 2 })
}
const frozen = async () => (await server.ok('userinfo', {}, asUser())).frozen
const noticeKinds = async () => (await server.ok('notices', {}, asUser())).items.map(({ kind }) => kind)
const swap = async () => server.call('doSwap', await swapPayload(server, { amount: '0.1' }), asUser())

test('a frozen account repays, adds collateral, transfers in and reads only', async () => {
  await server.ok('localPrice', { symbol: 'BNBUSDT', price: '600' })
  const terms = { collateral_asset: 'BNB', borrow_asset: 'USDT', term_days: 7 } as const
  const loan = await server.ok('lend', { ...terms, collateral_amount: '1', borrow_amount: '200' }, asUser())
  const endsAt = new Date(new Date((await server.ok('config', {})).time).getTime() + 5 * 86_400_000).toISOString()
  const wish = {
    pool_id: 'bnb-usdt',
    inverse: 0,
    kind: 'limit',
    amount: '0.1',
    price: '5000',
    ends_at: endsAt,
  } as const
  await server.ok('createPlan', wish, asUser())
  expect(await frozen()).toBeNull()

  await act(freezeAccount, {})
  expect(await frozen()).toMatchObject({ reason: 'test' })
  expect((await server.ok('plans', {}, asUser())).items).toMatchObject([{ status: 'ended', reason: 'freeze' }])
  expect((await noticeKinds()).toSorted()).toEqual(['account_frozen', 'plan_ended'])
  const { order_id } = loan
  for (const reply of [
    await swap(),
    await server.call('sell', { asset: 'BNB', amount: '0.1' }, asUser()),
    await server.call('createPlan', wish, asUser()),
    await server.call('pledge', { asset: 'USDT', amount: '10' }, asUser()),
    await server.call('removeCollateral', { order_id, amount: '0.1' }, asUser()),
    await server.call('clickBox', {}, asUser()),
  ])
    expect(reply).toMatchObject({ status: 200, code: 20017, data: { reason: 'frozen' } })

  await server.ok('addCollateral', { order_id, amount: '0.5' }, asUser())
  await server.ok('repay', { order_id, amount: 'all' }, asUser())
  await user.transferIn('USDT', '50')
  const unknown = await server.ok('commandOutcome', { idempotency_key: newKey() }, asUser())
  expect(unknown.state).toBe('unknown')
  await server.ok('setAlert', { symbol: 'BNBUSDT', direction: 'above', price: '9000' }, asUser())
})

test('an unfrozen account does everything again', async () => {
  await act(unfreezeAccount, {})
  expect(await frozen()).toBeNull()
  expect(await noticeKinds()).toContain('account_unfrozen')
  expect((await swap()).code).toBe(1)
})

test('a freeze ends after 14 days', async () => {
  await act(freezeAccount, { again: true })
  const { until, since } = (await frozen()) ?? { until: '', since: '' }
  expect(Date.parse(until) - Date.parse(since)).toBe(14 * 86_400_000)
  expect((await swap()).code).toBe(20017)
  for (let day = 0; day < 14; day += 7) await server.ok('localAdvance', { seconds: 7 * 86_400 - 3_600 })
  await server.ok('localAdvance', { seconds: 7_200 })
  const { address } = user.account
  const { nonceStr } = await server.ok('getNonce', { address })
  const signature = await user.account.signMessage({ message: nonceStr })
  user = { ...user, token: (await server.ok('login', { address, signature })).token }
  expect(await frozen()).toBeNull()
  expect((await swap()).code).toBe(1)
})

test('the table of calls says which work for a frozen account', () => {
  const names = (Object.keys(routes) as RouteName[]).filter((name) => 'worksFrozen' in routes[name])
  expect(names.toSorted()).toEqual([
    'addCollateral',
    'buy',
    'cancelAlert',
    'cancelPlan',
    'eraseData',
    'repay',
    'retrieve',
    'setAlert',
  ])
})
