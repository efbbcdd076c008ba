import { expectBooksBalanced } from '@clearwell/ledger/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newKey, startTestServer, type TestServer } from '../../testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
}, 60_000)
afterAll(async () => {
  await expectBooksBalanced(server.db)
  expect(server.errors).toEqual([])
  await server.destroy()
})

const inTenMinutes = () => new Date(Date.now() + 600_000).toISOString()

test('an activated user swaps BNB for USDT at the quoted amount, and the same key again answers the same swap', async () => {
  const user = await server.newUser()
  await user.transferIn('USDT', '500')
  await user.transferIn('BNB', '2')
  await user.activateByBalance()
  const quote = await server.ok('getQuote', { pool_id: 'bnb-usdt', amount: '1', inverse: 0 })
  const order = {
    pool_id: 'bnb-usdt',
    amount: '1',
    inverse: 0,
    min_amount_out: quote.amount_out,
    deadline: inTenMinutes(),
  } as const
  const options = { token: user.token, key: newKey() }
  const first = await server.ok('doSwap', order, options)
  const again = await server.ok('doSwap', order, options)
  expect(first).toMatchObject({ status: 'completed', amount_in: '1', amount_out: quote.amount_out, fee: '0.0025' })
  expect(again).toEqual(first)
  expect(await user.available('BNB')).toBe('1')
  const orders = await server.ok('orders', {}, options)
  expect(orders.items.map((item) => item.transaction_id)).toEqual([first.transaction_id])
})

test('a user who is not activated cannot swap', async () => {
  const user = await server.newUser()
  await user.transferIn('BNB', '2')
  const order = { pool_id: 'bnb-usdt', amount: '1', inverse: 0, min_amount_out: '0', deadline: inTenMinutes() } as const
  const reply = await server.call('doSwap', order, { token: user.token, locale: 'zh-HK' })
  expect(reply).toMatchObject({ status: 200, code: 20003, msg: '請先啟用帳戶再操作' })
  expect(await user.available('BNB')).toBe('2')
})
