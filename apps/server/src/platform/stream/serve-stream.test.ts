import { streamEvents } from '@clearwell/api/stream'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { openStream, type TestStream } from './testing/stream.ts'

let server: TestServer
let ann: TestUser
let bob: TestUser
const opened: TestStream[] = []
beforeAll(async () => {
  server = await startTestServer()
  ann = await server.newUser()
  bob = await server.newUser()
  for (const user of [ann, bob]) {
    await user.transferIn('USDT', '1000')
    await user.activateByBalance()
  }
})
afterAll(async () => {
  for (const stream of opened) stream.close()
  await expectBooksBalanced(server.db)
  expect(server.errors).toEqual([])
  await server.destroy()
})

async function listen(query: string, user?: TestUser, headers: Record<string, string> = {}): Promise<TestStream> {
  const stream = await openStream(server.url, query, { ...(user ? { 'xx-token': user.token } : {}), ...headers })
  opened.push(stream)
  return stream
}

const swap = (user: TestUser) =>
  server.ok(
    'doSwap',
    { pool_id: 'bnb-usdt', amount: '10', inverse: 1, min_amount_out: '0', deadline: '2036-11-21T09:00:00Z' },
    { token: user.token },
  )

/** Expects the received events to match the schemas of the events' table. */
function expectOfSchema(stream: TestStream): void {
  for (const { event, data } of stream.events) {
    const name = (event.startsWith('ticker:') ? 'ticker:<symbol>' : event) as keyof typeof streamEvents
    z.parse(streamEvents[name], data)
  }
}

test('a swap sends pairs to everyone and ledger entries to its owner', async () => {
  const anyone = await listen('channels=pairs,ticker:BNBUSDT')
  const owner = await listen('channels=account', ann)
  const other = await listen('channels=account,pairs', bob)
  const before = (await anyone.next('pairs')).data
  expect(before).toEqual(await server.ok('pairs', {}))
  await anyone.next('ticker:BNBUSDT')
  await owner.next('ready')
  await other.next('pairs')
  const { transaction_id, amount_out } = await swap(ann)
  const entry = (await owner.next('entry')).data as z.output<typeof streamEvents.entry>
  const logs = await server.ok('logs', { kind: 'swap' }, { token: ann.token })
  expect(entry.items.toSorted((a, b) => b.id.localeCompare(a.id))).toEqual(logs.items)
  expect(entry.items.map(({ asset, amount, reference }) => [asset, amount, reference])).toEqual(
    expect.arrayContaining([
      ['USDT', '-10', transaction_id],
      ['BNB', amount_out, transaction_id],
    ]),
  )
  expect((await anyone.next('pairs')).data).toEqual(await server.ok('pairs', {}))
  await other.next('pairs')
  expect(other.of('entry')).toEqual([])
  for (const stream of [anyone, owner, other]) expectOfSchema(stream)
})

test('a set price is sent as the ticker call returns it', async () => {
  const stream = await listen('channels=ticker:ETHUSDT')
  await stream.next('ticker:ETHUSDT')
  await server.ok('localPrice', { symbol: 'ETHUSDT', price: '3456' })
  const polled = await server.ok('spotTicker', { symbol: 'ETHUSDT' })
  expect(polled.price).toMatch(/^345[567]/)
  let update = await stream.next('ticker:ETHUSDT')
  while (!(update.data as { price: string }).price.startsWith('345')) update = await stream.next('ticker:ETHUSDT')
  expectOfSchema(stream)
})

test('a reconnecting listener receives the entries that it missed', async () => {
  const first = await listen('channels=account', ann)
  const { id } = await first.next('ready')
  first.close()
  await first.ended
  await swap(ann)
  await swap(bob)
  const again = await listen('channels=account', ann, { 'last-event-id': String(id) })
  const { data } = await again.next('entry')
  await again.next('ready')
  expect((data as { items: { kind: string }[] }).items.map(({ kind }) => kind)).toEqual(['swap', 'swap'])
  await swap(ann)
  await again.next('entry')
  expect(again.of('entry')).toHaveLength(2)
})

test('an ended session ends its own stream only', async () => {
  const leaving = await server.newUser({ faucet: false })
  const stream = await listen('channels=account', leaving)
  const staying = await listen('channels=account', ann)
  await stream.next('ready')
  await staying.next('ready')
  await server.ok('logout', {}, { token: leaving.token })
  await stream.next('signed_out')
  await stream.ended
  const refused = await listen('channels=account', leaving)
  await refused.ended
  expect(JSON.parse(refused.text()).code).toBe(10001)
  await swap(ann)
  await staying.next('entry')
})

test('pairs and ticker respond 304 to a client with the current version', async () => {
  const ask = (path: string, etag?: unknown) =>
    server.app.inject({
      method: 'POST',
      url: `/api${path}`,
      headers: { 'content-type': 'application/json', ...(etag ? { 'if-none-match': String(etag) } : {}) },
      payload: '{}',
    })
  const { etag } = (await ask('/SwapPool/pairs')).headers
  expect((await ask('/SwapPool/pairs', etag)).statusCode).toBe(304)
  await swap(ann)
  expect((await ask('/SwapPool/pairs', etag)).statusCode).toBe(200)
  expect((await ask('/spot/ticker')).headers.etag).toMatch(/^"/)
})
