import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Reply, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { newTrader, trySwap } from '../../testing/traders.ts'

/** A bookkeeper that never answers. */
const GONE = {
  BOOKKEEPER_URL: 'http://127.0.0.1:9',
  BOOKKEEPER_ADDRESS: privateKeyToAddress(`0x${'b0'.repeat(32)}`),
  BOOKKEEPER_TOKEN: `0x${'c0'.repeat(32)}`,
}
const NONE = { BOOKKEEPER_URL: '', BOOKKEEPER_ADDRESS: '', BOOKKEEPER_TOKEN: '' }
const HOUR = 3_600
const DAY = 24 * HOUR
const STOPPED = { code: 20005, data: { reason: 'no_header' } }

let server: TestServer
let user: TestUser
beforeAll(async () => {
  server = await startTestServer({ PROOFS: 'on', ...GONE })
  user = await newTrader(server)
  await vi.waitUntil(async () => (await headers()) > 0, { timeout: 30_000 })
})
afterAll(() => server.destroy())

const headers = async () => {
  const [row] = await server.db.query<{ count: bigint }>('select count(*) from proof_headers')
  return Number(row?.count ?? 0)
}
const as = () => ({ token: user.token })
const termOf = async (id: string) =>
  (await server.ok('stakeOrders', {}, as())).items.find(({ order_id }) => order_id === id)
const expectStopped = (reply: Reply<unknown>) => expect(reply).toMatchObject(STOPPED)

test('trading stops two hours after the last header, through restarts', async () => {
  const pledged = { asset: 'USDT', amount: '100' } as const
  await server.ok('pledge', pledged, as())
  const order = { collateral_asset: 'BNB', collateral_amount: '0.5', borrow_asset: 'USDT' } as const
  const loan = await server.ok('lend', { ...order, borrow_amount: '10', term_days: 7 }, as())
  await server.ok('localAdvance', { seconds: 7_200 })
  server = await server.restart(GONE)

  expectStopped(await trySwap(server, user, { amount: '0.01' }))
  expectStopped(await server.call('pledge', pledged, as()))
  expectStopped(await server.call('unpledge', { asset: 'USDT', amount: 'all' }, as()))
  expectStopped(await server.call('clickBox', {}, as()))
  const collateral = { order_id: loan.order_id, amount: '0.01' }
  expectStopped(await server.call('removeCollateral', collateral, as()))
  expectStopped(await server.call('lend', { ...order, borrow_amount: '10', term_days: 7 }, as()))
  await vi.waitUntil(async () => (await server.ok('config', {})).degraded.includes('headers'), { timeout: 30_000 })

  await server.ok('addCollateral', collateral, as())
  await server.ok('repay', { order_id: loan.order_id, amount: 'all' }, as())
  expect((await server.ok('sell', { asset: 'USDT', amount: '10' }, as())).status).toBe('signed')

  server = await server.restart(NONE)
  await vi.waitUntil(async () => (await trySwap(server, user, { amount: '0.01' })).code === 1, { timeout: 30_000 })
}, 150_000)

test('repaying stops after a day, and the repayment time moves', async () => {
  const order = { collateral_asset: 'BNB', collateral_amount: '0.5', borrow_asset: 'USDT' } as const
  const loan = await server.ok('lend', { ...order, borrow_amount: '20', term_days: 7 }, as())
  // The loan is due in the third hour after repaying has stopped.
  for (let day = 0; day < 5; day++) await server.ok('localAdvance', { seconds: DAY })
  await server.ok('localAdvance', { seconds: 22 * HOUR })
  server = await server.restart(GONE)
  await server.ok('localAdvance', { seconds: DAY + 60 })
  const stopped = { code: 20005, data: { reason: 'no_header_day' } }
  const repayment = { order_id: loan.order_id, amount: '1' }
  await vi.waitFor(async () => expect(await server.call('repay', repayment, as())).toMatchObject(stopped), 20_000)
  expect(await server.call('addCollateral', repayment, as())).toMatchObject(stopped)
  await server.ok('localAdvance', { seconds: 3 * HOUR })
  expect((await termOf(loan.order_id))?.status).toBe(2)

  server = await server.restart(NONE)
  await vi.waitFor(async () => expect((await server.call('repay', repayment, as())).code).toBe(1), 30_000)
  const moved = Date.parse((await termOf(loan.order_id))?.repayment_time ?? '')
  const ended = Date.parse((await server.ok('config', {})).time)
  expect(Math.abs(moved - ended - DAY * 1_000)).toBeLessThan(HOUR * 1_000)
}, 150_000)
