import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'
import { endExact, startTestServer, type TestServer, type TestUser } from '@clearwell/server/src/testing/server.ts'
import { swap } from '@clearwell/server/src/testing/traders.ts'
import { parseEther, recoverAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { pullBatch } from './pull-batch.ts'
import { type RunningBookkeeper, runBookkeeper } from './run-bookkeeper.ts'
import { sha256 } from './users-tree.ts'

const KEY = `0x${'b0'.repeat(32)}` as const
const TOKEN = `0x${'70'.repeat(32)}` as const
const ADDRESS = privateKeyToAccount(KEY).address
/** The known key of the local profile. */
const DATA_SECRET = sha256(Buffer.from('clearwell local proof data'))
const PATHS = { host: '127.0.0.1', port: 0, url: 'https://books.example' }
/** Fewer than 30 requests a minute. */
const PATH_WAIT = { timeout: 20_000, interval: 2_000 }
const WAIT = { timeout: 60_000, interval: 250 }

let server: TestServer
let folder: string
let port: number
let bookkeeper: RunningBookkeeper | undefined
const said: string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-bookkeeper-'))
  port = await freePort()
  server = await startTestServer({
    PROOFS: 'on',
    BOOKKEEPER_URL: `http://127.0.0.1:${port}`,
    BOOKKEEPER_ADDRESS: ADDRESS,
    BOOKKEEPER_TOKEN: TOKEN,
  })
})
afterAll(async () => {
  await bookkeeper?.stop()
  await endExact(server)
  await rm(folder, { recursive: true })
})

function start(): Promise<RunningBookkeeper> {
  const { vault, vaultBlock: startBlock } = server.custody
  const own = { key: KEY, dataSecret: DATA_SECRET, folder, host: '127.0.0.1', port, paths: PATHS }
  const of = { serverUrl: server.url, token: TOKEN, rpcUrl: server.rpcUrl, vault, startBlock }
  return runBookkeeper({ ...own, ...of }, (text) => said.push(text))
}

const newest = async () => (await server.call('proofHeader', {})).data
const tip = async () => {
  const [row] = await server.db.query<{ seq: bigint }>('select max(seq) as seq from entries')
  return row?.seq ?? 0n
}

test('without the token there is no ledger to read', async () => {
  const query = '?entry=0&header=0&change=0'
  for (const authorization of ['', `Bearer 0x${'71'.repeat(32)}`, TOKEN]) {
    const response = await fetch(`${server.url}/internal/ledger${query}`, { headers: { authorization } })
    expect(response.status).toBe(404)
    expect(await response.text()).not.toContain('clearwell batch')
  }
})

test('both keys sign a header with transfers and a swap', async () => {
  const user = await server.newUser()
  await user.transferIn('USDT', '25')
  expect(await newest()).not.toHaveProperty('header')
  bookkeeper = await start()
  await user.transferIn('USDT', '40')
  await user.activateByBalance()
  await swap(server, user, { amount: '5', inverse: 1 })
  const last = await tip()
  const signed = await vi.waitUntil(async () => {
    const header = await newest()
    return header?.header && BigInt(header.header.ledgerSeq) >= last && header
  }, WAIT)
  const { hash, signatures } = signed
  const signature = signatures.bookkeeper as `0x${string}`
  expect(await recoverAddress({ hash: hash as `0x${string}`, signature })).toBe(ADDRESS)
  // The first path of the hour stays, so it is asked for with the number.
  const free = await vi.waitUntil(async () => {
    const { data } = await readPaths(user.account, signed.number)
    return data && freeOf(data.leaves)
  }, PATH_WAIT)
  expect(free).toBe(`${parseEther(await user.available('USDT'))}`)
  expect(said).toEqual([])
}, 120_000)

const freeOf = (leaves: { asset: string; free: string }[]) => leaves.find(({ asset }) => asset === 'USDT')?.free

/** Signs in at the bookkeeper's other port, and reads the own paths. */
async function readPaths({ address, signMessage }: TestUser['account'], number: string) {
  const call = async (path: string, payload: object) => {
    const response = await fetch(`${bookkeeper?.pathsUrl}${path}`, { method: 'POST', body: JSON.stringify(payload) })
    // biome-ignore lint/suspicious/noExplicitAny: the tests read what the program said.
    return (await response.json()) as any
  }
  const { message } = (await call('/proof/nonce', { address })).data
  return call('/proof/mine', { message, signature: await signMessage({ message }), number })
}

test('no header is signed while the bookkeeper is away', async () => {
  await bookkeeper?.stop()
  const before = (await newest())?.number
  const user = await server.newUser()
  await user.transferIn('BNB', '2')
  await vi.waitUntil(async () => {
    const rows = await server.db.query('select 1 from proof_header_bodies where root_signature is null')
    return rows.length > 0
  }, WAIT)
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect((await newest())?.number).toBe(before)
  const ready = () => server.app.inject('/readyz').then((response) => response.json())
  await expect.poll(ready).toEqual({ status: 'ready' })
  await server.ok('localAdvance', { seconds: 61 })
  await vi.waitUntil(async () => (await ready()).status === 'degraded', WAIT)
  expect(await ready()).toEqual({ status: 'degraded', parts: ['bookkeeper'] })
  await vi.waitUntil(() => server.errors.length > 0, WAIT)
  const reported = server.errors.splice(0)
  expect(reported.map(({ task }) => task)).toEqual(['bookkeeper'])
  bookkeeper = await start()
  await vi.waitUntil(async () => Number((await newest())?.number) > Number(before), WAIT)
  await vi.waitUntil(async () => (await ready()).status === 'ready', WAIT)
  expect(said).toEqual([])
  const headers = await server.db.query('select 1 from proof_header_bodies where book_refusal is not null')
  expect(headers).toEqual([])
}, 120_000)

test('a bookkeeper without a store names the archives that it lacks', async () => {
  await server.db.query(
    `insert into ledger_archives (first_seq, last_seq, entries, postings, hash_before, hash, origin, last_at, file)
     select 1, 2, 2, 4, decode(repeat('00', 32), 'hex'), hash, hash, at, 'old.jsonl' from entries where seq = 2`,
  )
  const cursor = { entry: 0n, header: 0n, change: '0', signed: 0n, line: 0n }
  const pulled = pullBatch({ serverUrl: server.url, token: TOKEN }, cursor)
  await expect(pulled).rejects.toThrow(
    /entries 1 to 2 are no longer in the database\. They are in the archives old\.jsonl \(entries 1 to 2, closing hash 0x[0-9a-f]{64}\)\. Start with a copy of the store/,
  )
  await expect(pullBatch({ serverUrl: server.url, token: TOKEN }, { ...cursor, entry: 2n })).resolves.toBeDefined()
  await server.db.query('delete from ledger_archives')
})
