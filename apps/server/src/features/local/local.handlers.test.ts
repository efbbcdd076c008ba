import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LocalChain } from '../../platform/chain/local-chain.ts'
import { controlChain, localConfigFile } from '../../platform/chain/testing/local-chain.ts'
import { endExact, startTestServer, type TestServer } from '../../testing/server.ts'
import { localHandlers } from './local.handlers.ts'

let server: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
beforeAll(async () => {
  file = await localConfigFile(({ market }) => Object.assign(market, { moves: true }))
  server = await startTestServer({ CONFIG_FILE: file.path })
})
afterAll(() => endExact(server, { file }))

const control = () => controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id })
const serverTimeS = async () => Math.floor(new Date((await server.ok('config', {})).time).getTime() / 1000)
const chainTimeS = async () => Number((await control().client.getBlock()).timestamp)

test('the faucet pays named transactions on the chain, outside the books', async () => {
  const { address } = privateKeyToAccount(generatePrivateKey())
  const { items } = await server.ok('localFaucet', { address })
  expect(items).toEqual([
    { asset: 'BNB', amount: '10', tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    { asset: 'USDT', amount: '10000', tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    { asset: 'ETH', amount: '5', tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
  ])
  expect(await control().client.getBalance({ address })).toBe(parseEther('10'))
  await server.watcher.poll()
  expect(
    await server.db.query('select 1 from balances where account like $1', [`user:${address.toLowerCase()}%`]),
  ).toEqual([])
})

test('the local controls reject a page of another website', async () => {
  const priceOf = async () => (await server.ok('spotTicker', {})).price
  const before = await priceOf()
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/Local/price',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    payload: 'symbol=BNBUSDT&price=1',
  })
  expect(reply.json()).toMatchObject({ code: 20000, data: { fields: { Origin: 'not a page of this server' } } })
  expect(await priceOf()).toBe(before)
})

test('the faucet rejects a missing, malformed or wrongly checksummed address', async () => {
  const { address } = privateKeyToAccount(generatePrivateKey())
  const swapped = address.replace(/[a-fA-F]/, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  for (const wrong of ['', '0x12', address.slice(2), swapped, `0x${'0'.repeat(40)}`]) {
    expect(await server.call('localFaucet', { address: wrong })).toMatchObject({ code: 20013 })
  }
})

test('advance moves the clocks of server and chain', async () => {
  const before = await serverTimeS()
  const { time } = await server.ok('localAdvance', { seconds: 100_000 })
  expect(new Date(time).getTime() / 1000).toBeGreaterThanOrEqual(before + 100_000)
  expect(await chainTimeS()).toBeGreaterThanOrEqual(before + 100_000)
  expect(await serverTimeS()).toBeGreaterThanOrEqual(before + 100_000)
})

test('an advance moves the chain before the clock', async () => {
  let [chainTime, time] = [new Date(0), new Date(0)]
  const handlers = localHandlers({
    clock: {
      now: () => time,
      behindMs: 0,
      async advance(ms) {
        time = new Date(time.getTime() + ms)
        expect(chainTime.getTime()).toBeGreaterThanOrEqual(time.getTime())
      },
    },
    chain: {
      async moveTo(to: Date) {
        chainTime = to
      },
    } as LocalChain,
    stopsBetween: async () => [new Date(61_000)],
    holdDrains: (move) => move(),
    runDue: async () => {},
    setPrice: async () => true,
  })
  const { time: reached } = await handlers.localAdvance({ seconds: 100 }, {} as never)
  expect(reached).toBe(new Date(100_000).toISOString())
})

test('advance past the deadline of an unsubmitted voucher returns its amount', async () => {
  const user = await server.newUser()
  await user.transferIn('BNB', '2')
  const { order_id } = await server.ok('sell', { asset: 'BNB', amount: '1' }, { token: user.token })
  const seconds = server.config.withdrawals.voucherTtlMs / 1000
  await server.ok('localAdvance', { seconds: seconds - 60 })
  expect(await user.available('BNB')).toBe('1')
  await server.ok('localAdvance', { seconds: 61 })
  expect(await user.available('BNB')).toBe('2')
  const { items } = await server.ok('sellOrders', {}, { token: user.token })
  expect(items).toMatchObject([{ order_id, status: 'expired' }])
})

test('advance accepts only whole seconds up to ten years', async () => {
  for (const seconds of [0, -1, 1.5, 315_360_001]) {
    const reply = await server.call('localAdvance', { seconds })
    expect(reply).toMatchObject({ status: 400, code: 20000, data: { fields: { seconds: expect.any(String) } } })
  }
})

test('a set price moves on', async () => {
  expect(await server.ok('localPrice', { symbol: 'ETHUSDT', price: '5000' })).toEqual({
    symbol: 'ETHUSDT',
    price: '5000',
  })
  const near = async () => {
    const { price, stale, source } = await server.ok('spotTicker', { symbol: 'ETHUSDT' })
    expect({ stale, source }).toEqual({ stale: false, source: 'simulated market' })
    // As far as the shorter waves can carry it in the meantime; before, it was near 3,300.
    expect(Math.abs(Number(price) - 5000)).toBeLessThan(100)
  }
  await near()
  const set = (await server.ok('spotTicker', { symbol: 'ETHUSDT' })).price
  await server.ok('localAdvance', { seconds: 600 })
  expect((await server.ok('spotTicker', { symbol: 'ETHUSDT' })).price).not.toBe(set)
  expect((await server.ok('pairs', {})).map((pair) => pair.suspended)).toEqual([false, false, false])
  await near()
})

test('a zero price is invalid, and an unknown symbol is not found', async () => {
  const zero = await server.call('localPrice', { symbol: 'BNBUSDT', price: '0' })
  expect(zero).toMatchObject({ status: 400, code: 20000, data: { fields: { price: 'must be above zero' } } })
  const unknown = await server.call('localPrice', { symbol: 'DOGEUSDT', price: '1' })
  expect(unknown).toMatchObject({ status: 404, code: 20009 })
  expect(await server.call('spotTicker', { symbol: 'DOGEUSDT' })).toMatchObject({ status: 404, code: 20009 })
})
