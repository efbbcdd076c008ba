import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { afterEach, expect, test } from 'vitest'
import { openStream } from './platform/stream/testing/stream.ts'
import { startTestServer, type TestServer } from './testing/server.ts'
import { canShareLedger, openSharedLedger } from './testing/two-servers.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Two servers of one ledger, of which the second leads and drains for a long time. */
async function startDraining(): Promise<{ staying: TestServer; leaving: TestServer }> {
  const ledger = await openSharedLedger((config) => {
    config.chain.pollMs = 3_600_000
  })
  ends.push(ledger.end)
  const leaving = await startTestServer({ ...ledger.variablesFor('leaving'), DRAIN_MS: '60000' })
  ends.push(() => {
    const stopped = leaving.stop()
    leaving.cutDrainShort()
    return stopped
  })
  const staying = await startTestServer(ledger.variablesFor('staying'))
  ends.push(staying.stop)
  return { staying, leaving }
}

async function leader(server: TestServer): Promise<string | undefined> {
  const [row] = await server.db.query<{ url: string }>('select url from servers join writer_lease using (holder)')
  return row?.url
}

test.runIf(canShareLedger)('a draining leader hands over, serves every command, then closes', async () => {
  const { staying, leaving } = await startDraining()
  const user = await leaving.newUser()
  await user.transferIn('USDT', '1000')
  await user.activateByBalance()
  const stream = await openStream(leaving.url, 'channels=account,pairs', { 'xx-token': user.token })
  await stream.next('ready')
  expect(await leader(staying)).toBe(leaving.url)

  // Commands without a key, which must not be repeated: the hand-over finishes those in progress.
  const deadline = new Date(Date.now() + 600_000).toISOString()
  const buy = { pool_id: 'bnb-usdt', amount: '1', inverse: 1, min_amount_out: '0', deadline }
  const swap = async () => {
    const response = await fetch(`${leaving.url}/api/SwapPool/doSwap`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'xx-token': user.token },
      body: JSON.stringify(buy),
    })
    return [response.status, ((await response.json()) as { code: number }).code, response.headers.get('connection')]
  }
  const before = Array.from({ length: 5 }, swap)
  const stopping = leaving.stop()
  const during = Array.from({ length: 5 }, swap)
  for (const each of await Promise.all([...before, ...during])) expect(each.slice(0, 2)).toEqual([200, 1])
  expect(await leader(staying)).toBe(staying.url)
  const ready = await fetch(`${leaving.url}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'draining' }])
  expect(await swap()).toEqual([200, 1, 'close'])

  expect(leaving.cutDrainShort()).toBe(true)
  await stream.ended
  expect(stream.text()).toMatch(/\nretry: \d{3,4}\n\n$/)
  expect(await stopping).toEqual([])
  await expect(fetch(`${leaving.url}/readyz`)).rejects.toThrow()
  const [{ swaps } = { swaps: '' }] = await staying.db.query<{ swaps: string }>(
    'select count(*)::text as swaps from swap_orders',
  )
  expect([swaps, leaving.errors, staying.errors]).toEqual(['11', [], []])
  await expectBooksBalanced(staying.db)
})
