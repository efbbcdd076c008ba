import { mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT_KEY } from '@clearwell/server/src/domain/proofs/testing/proof-ledger.ts'
import { verifyHeader } from '@clearwell/verify/verify-balance'
import { rootOf } from '@clearwell/verify/verify-proof'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Bookkeeper, openBookkeeper } from './bookkeeper.ts'
import type { OwnPaths } from './own-paths.ts'
import { pathCalls } from './path-calls.ts'
import { createPathServer } from './serve-paths.ts'
import { DATA_SECRET, HEAD, openProductLedger, type ProductLedger } from './testing/product-ledger.ts'
import { checkByNode } from './wallet-signatures.ts'

const KEY = privateKeyToAccount(`0x${'b0'.repeat(32)}`)
const ALICE = privateKeyToAccount(`0x${'a1'.repeat(32)}`)
const BOB = privateKeyToAccount(`0x${'b2'.repeat(32)}`)
const [alice, bob] = [ALICE, BOB].map(({ address }) => address.toLowerCase()) as [string, string]
/** A port where no node listens. */
const GONE = 'http://127.0.0.1:9'

let ledger: ProductLedger
let folder: string
let bookkeeper: Bookkeeper
let server: Server
let url: string
let nowMs: number
beforeEach(async () => {
  ledger = await openProductLedger()
  folder = await mkdtemp(join(tmpdir(), 'clearwell-paths-'))
  nowMs = Date.parse('2026-11-28T05:00:00Z')
  await open()
})
afterEach(async () => {
  await close()
  await ledger.server.close()
  await rm(folder, { recursive: true })
})

async function open() {
  bookkeeper = await openBookkeeper({
    ...{ folder, key: KEY, dataSecret: DATA_SECRET, expected: HEAD, startBlock: 1n },
    openNode: () => ledger.node,
    nowMs: () => ledger.server.clock.at.getTime(),
  })
  const settings = { url: 'https://books.example', chainId: 97, nowMs: () => nowMs, check: checkByNode(GONE) }
  server = createPathServer(pathCalls(bookkeeper, settings), () => nowMs)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function close() {
  server.closeAllConnections()
  server.close()
  await bookkeeper.close()
}

/** Makes a header, and has both keys sign it. The bookkeeper hears of the root's signature with the next batch. */
async function makeHeader(): Promise<string> {
  await ledger.makeHeader(async () => 'none')
  await bookkeeper.take(await ledger.batch(bookkeeper.stored))
  expect(await bookkeeper.advance()).toBeUndefined()
  const { number, signature } = bookkeeper.statementOf(`${bookkeeper.last}`) ?? {}
  await ledger.makeHeader(async () => ({ signature: signature as `0x${string}` }))
  await bookkeeper.take(await ledger.batch(bookkeeper.stored))
  return number as string
}

async function call(path: string, payload: unknown) {
  const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(payload) })
  // biome-ignore lint/suspicious/noExplicitAny: the tests read what the program said.
  const body: any = await response.json()
  return { status: response.status, headers: response.headers, ...body }
}

const messageFor = async (address: string) => (await call('/proof/nonce', { address })).data.message as string

async function mine(wallet = ALICE, number?: string) {
  const message = await messageFor(wallet.address)
  return call('/proof/mine', { message, signature: await wallet.signMessage({ message }), number })
}

/** Checks header, signatures and each path with the verifier's code. Returns what the account has. */
async function verified({ number, leaves, signed }: OwnPaths, account = alice) {
  const keys = { root: [ROOT_KEY.address.toLowerCase()], bookkeepers: [KEY.address.toLowerCase()] }
  const domain = { chainId: 97, vault: HEAD.vault }
  const signer = { signer: keys.root[0] }
  expect(verifyHeader(signed as Parameters<typeof verifyHeader>[0], { domain, keys })).toEqual(signer)
  expect(signed.signatures.bookkeeper).not.toBeNull()
  expect(signed.header.number).toBe(number)
  for (const leaf of leaves) {
    const token = HEAD.tokens[leaf.asset] as string
    const stated = signed.header.assets.find((each) => each.token === token)?.root ?? signed.header.rtRoot
    expect(await rootOf({ ...leaf, path: [...leaf.path] }, { account, token })).toBe(stated)
  }
  return Object.fromEntries(leaves.map(({ asset, free }) => [asset, free]))
}

test('gives a wallet its paths in a header that both keys signed', async () => {
  await ledger.deposit(alice, 'USDT', 50_000n)
  expect(await mine()).toMatchObject({ code: 20_012 })
  await ledger.deposit(bob, 'ETH', 7_000n)
  const number = await makeHeader()
  const reply = await mine()
  expect(reply).toMatchObject({ status: 200, code: 1, data: { number, posted_at: null } })
  expect(await verified(reply.data)).toMatchObject({ USDT: '50000', ETH: '0' })
  expect(await verified((await mine(BOB)).data, bob)).toMatchObject({ USDT: '0', ETH: '7000' })
  expect(reply.headers.get('access-control-allow-origin')).toBe('*')
  expect(reply.headers.get('cache-control')).toBe('no-store')
})

test('refuses other wallets, used messages and messages after five minutes', async () => {
  await ledger.deposit(alice, 'USDT', 50_000n)
  await ledger.deposit(bob, 'ETH', 7_000n)
  await makeHeader()
  const message = await messageFor(ALICE.address)
  const signature = await ALICE.signMessage({ message })
  // The node is asked whether the address is a contract, and is away.
  const byBob = await call('/proof/mine', { message, signature: await BOB.signMessage({ message }) })
  expect(byBob).toMatchObject({ status: 503, code: 50_300, data: { part: 'chain' } })
  const other = message.replace(ALICE.address, BOB.address)
  const forged = await BOB.signMessage({ message: other })
  expect(await call('/proof/mine', { message: other, signature: forged })).toMatchObject({ code: 20_012 })
  expect(await call('/proof/mine', { message, signature })).toMatchObject({ code: 1 })
  expect(await call('/proof/mine', { message, signature })).toMatchObject({ code: 20_012, data: null })
  const late = await messageFor(ALICE.address)
  nowMs += 300_000
  const signedLate = { message: late, signature: await ALICE.signMessage({ message: late }) }
  expect(await call('/proof/mine', signedLate)).toMatchObject({ code: 20_012 })
})

test('gives one new path an hour, also without the server', async () => {
  await ledger.deposit(alice, 'USDT', 50_000n)
  const first = await makeHeader()
  expect((await mine()).data.number).toBe(first)
  await ledger.deposit(alice, 'USDT', 1n)
  const second = await makeHeader()
  expect((await mine(ALICE, second)).data.number).toBe(first)
  nowMs += 3_600_000
  expect((await mine()).data.number).toBe(second)
  nowMs += 3_600_000
  expect(await verified((await mine(ALICE, first)).data)).toMatchObject({ USDT: '50000' })
  await close()
  await open()
  expect(await verified((await mine()).data)).toMatchObject({ USDT: '50001' })
  nowMs += 3_600_000
  expect(await mine(ALICE, '1')).toMatchObject({ status: 404, code: 20_009 })
})

test('gives paths of posted headers alone where the vault has exits', async () => {
  await ledger.deposit(alice, 'USDT', 50_000n)
  const first = await makeHeader()
  const { hash } = bookkeeper.statementOf(first) as { hash: string }
  await ledger.deposit(alice, 'USDT', 1n)
  await makeHeader()
  const block = ledger.events.at(-1)?.block as bigint
  ledger.posts.push({ block, post: { number: first, hash, postedAt: 1_795_000_000, tx: `0x${'99'.repeat(32)}` } })
  await bookkeeper.readPosts()
  // Its block is not final.
  for (let more = 0; more < 16; more++) await ledger.deposit(bob, 'ETH', 1n)
  await bookkeeper.readPosts()
  await close()
  await open()
  const { data } = await mine()
  expect(data).toMatchObject({ number: first, posted_at: '2026-11-18T11:06:40.000Z' })
  expect(data.signed.tx_hash).toBe(`0x${'99'.repeat(32)}`)
  expect(await verified(data)).toMatchObject({ USDT: '50000' })
})

test('opens nothing else on its port, and limits each address', async () => {
  for (const path of ['/status', '/refusals', '/headers/1', '/proof/header'])
    expect((await fetch(url + path)).status).toBe(404)
  const preflight = await fetch(`${url}/proof/mine`, { method: 'OPTIONS', headers: { origin: 'null' } })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(await call('/proof/mine', { message: 'x'.repeat(40_000) })).toMatchObject({ status: 400, code: 20_000 })
  expect(await call('/proof/nonce', { address: 'me' })).toMatchObject({ status: 200, code: 20_013 })
  const from = (address: string) =>
    fetch(`${url}/proof/nonce`, {
      ...{ method: 'POST', body: JSON.stringify({ address: ALICE.address }) },
      headers: { 'x-forwarded-for': `203.0.113.9, ${address}` },
    }).then(({ status }) => status)
  for (let count = 0; count < 30; count++) expect(await from('198.51.100.1')).toBe(200)
  expect(await from('198.51.100.1')).toBe(429)
  expect(await from('198.51.100.2')).toBe(200)
  nowMs += 60_000
  expect(await from('198.51.100.1')).toBe(200)
})
