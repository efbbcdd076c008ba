import { hash } from 'node:crypto'
import type { Hex } from '@clearwell/proofs/bytes'
import { hashHeader } from '@clearwell/verify/hash-header'
import { recoverAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { endExact, newKey, startTestServer, type TestServer } from '../../testing/server.ts'
import { newTrader } from '../../testing/traders.ts'

/** The address of the local profile's known key. */
const ROOT = privateKeyToAddress(`0x${hash('sha256', 'clearwell local proof root')}`)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ PROOFS: 'on' })
})
afterAll(() => endExact(server))

test('a server signs headers that follow one another', async () => {
  const read = () =>
    server.db.query<{ header: string; hash: Hex; previous: Hex; root_signature: Hex | null }>(
      `select header, hash, previous, root_signature from proof_headers join proof_header_bodies using (id) order by number`,
    )
  const signed = async (count: number) => (await read()).filter((row) => row.root_signature).length >= count
  await vi.waitUntil(() => signed(1), { timeout: 60_000 })
  const user = await server.newUser()
  await user.transferIn('USDT', '25')
  await vi.waitUntil(() => signed(2), { timeout: 60_000 })
  const headers = await read()
  for (const [index, { header, hash: hashed, previous, root_signature }] of headers.entries()) {
    const { vault } = server.custody
    expect(hashHeader(JSON.parse(header), { chainId: 31337, verifyingContract: vault })).toBe(hashed)
    if (index > 0) expect(previous).toBe(headers[index - 1]?.hash)
    const signer = root_signature && (await recoverAddress({ hash: hashed, signature: root_signature }))
    expect(signer).toBe(ROOT)
  }
  const usdt = server.custody.tokens.find(({ asset }) => asset === 'USDT')?.address
  const figures = JSON.parse(headers.at(-1)?.header ?? '').assets.find(({ token }: { token: string }) => token === usdt)
  const [counted] = await server.db.query<{ deposited: bigint }>(
    "select deposited from vault_counters where account = '*' and asset = 'USDT'",
  )
  expect(figures).toMatchObject({
    users: '25000000000000000000',
    depositedSeen: `${counted?.deposited}`,
    paidSeen: '0',
  })
}, 150_000)

test('no run of a schedule finds an old header after an advance', async () => {
  const { token } = await newTrader(server)
  const { plan_id } = await server.ok(
    'createPlan',
    { kind: 'schedule', every: 'day', hour: 3, pool_id: 'bnb-usdt', inverse: 0, amount: '0.1' },
    { token, key: newKey() },
  )
  // A session ends after seven days.
  await server.ok('localAdvance', { seconds: 6.5 * 86_400 })
  const { items } = await server.ok('planRuns', { plan_id, limit: 100 }, { token })
  expect(items.length).toBeGreaterThanOrEqual(6)
  expect(items.map(({ status, reason }) => ({ status, reason }))).toEqual(
    items.map(() => ({ status: 'made', reason: null })),
  )
  // For a moment after the clock has moved the last header is a day old, and the watch may see it.
  const others = server.errors.filter(({ task }) => task !== 'header age')
  server.errors.splice(0, server.errors.length, ...others)
}, 60_000)
