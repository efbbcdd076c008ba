import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localConfigFile } from '@clearwell/server/src/platform/chain/testing/local-chain.ts'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'
import { startTestServer, type TestServer } from '@clearwell/server/src/testing/server.ts'
import { verifyProof } from '@clearwell/verify/verify-proof'
import { type Hex, recoverAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type RunningBookkeeper, runBookkeeper } from './run-bookkeeper.ts'
import { sha256 } from './users-tree.ts'

/** The page that this test follows. */
const PAGE = readFileSync(join(import.meta.dirname, '../../docs/recipes/replace-the-bookkeepers-key.md'), 'utf8')
const [OLD, NEW] = [`0x${'b0'.repeat(32)}`, `0x${'b1'.repeat(32)}`] as const
const [OLD_ADDRESS, NEW_ADDRESS] = [privateKeyToAddress(OLD), privateKeyToAddress(NEW)]
const TOKEN = `0x${'70'.repeat(32)}` as const
/** The known key of the local profile. */
const DATA_SECRET = sha256(Buffer.from('clearwell local proof data'))
const WAIT = { timeout: 60_000, interval: 250 }

let server: TestServer
let folder: string
let port: number
let bookkeeper: RunningBookkeeper | undefined
let removeConfig = async () => {}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-bookkeeper-'))
  port = await freePort()
  const known = { BOOKKEEPER_URL: `http://127.0.0.1:${port}`, BOOKKEEPER_ADDRESS: OLD_ADDRESS, BOOKKEEPER_TOKEN: TOKEN }
  server = await startTestServer({ PROOFS: 'on', ...known })
})
afterAll(async () => {
  await bookkeeper?.stop()
  await server.destroy()
  await removeConfig()
  await rm(folder, { recursive: true })
})

function start(key: Hex): Promise<RunningBookkeeper> {
  const { vault, vaultBlock: startBlock } = server.custody
  const own = { key, dataSecret: DATA_SECRET, folder, host: '127.0.0.1', port }
  const of = { serverUrl: server.url, token: TOKEN, rpcUrl: server.rpcUrl, vault, startBlock }
  return runBookkeeper({ ...own, ...of }, () => {})
}

/** Waits for a header that contains everything, and returns who has signed it. */
async function untilSigned() {
  const [tip] = await server.db.query<{ seq: bigint }>('select max(seq) as seq from entries')
  const { hash, signatures } = await vi.waitUntil(async () => {
    const { data } = await server.call('proofHeader', {})
    return data?.header && BigInt(data.header.ledgerSeq) >= (tip?.seq ?? 0n) && data
  }, WAIT)
  return recoverAddress({ hash: hash as Hex, signature: signatures.bookkeeper as Hex })
}

async function exportOf(token: string): Promise<string[]> {
  const { body } = await server.app.inject({ url: '/api/proof/export.jsonl', headers: { 'xx-token': token } })
  return body.split('\n').slice(0, -1)
}

test('headers before and after the replacement of the key verify', async () => {
  bookkeeper = await start(OLD)
  const user = await server.newUser()
  await user.transferIn('USDT', '25')
  expect(await untilSigned()).toBe(OLD_ADDRESS)
  // The first header of the hour, which the old key has signed.
  const before = await exportOf(user.token)

  await bookkeeper.stop()
  const [, block = ''] = /^```json\n(.*)\n```$/m.exec(PAGE) ?? []
  const change = JSON.parse(block.replace('<old address>', OLD_ADDRESS))
  const file = await localConfigFile((config) => Object.assign(config, change))
  removeConfig = file.remove
  server = await server.restart({ BOOKKEEPER_ADDRESS: NEW_ADDRESS, CONFIG_FILE: file.path })
  bookkeeper = await start(NEW)
  expect(bookkeeper.address).toBe(NEW_ADDRESS)
  await (await server.newUser()).transferIn('USDT', '40')
  expect(await untilSigned()).toBe(NEW_ADDRESS)

  const keys = (await server.ok('config', {})).proof_keys?.bookkeepers ?? []
  expect(keys).toEqual([NEW_ADDRESS, OLD_ADDRESS].map((address) => address.toLowerCase()))
  expect(await verifyProof(before, { bookkeeperKey: keys.join(',') })).toMatchObject({ valid: true })
  expect(await verifyProof(before, { bookkeeperKey: NEW_ADDRESS })).toMatchObject({ valid: false })
  expect(await verifyProof(await exportOf(user.token), { bookkeeperKey: keys.join(',') })).toMatchObject({
    valid: true,
  })
}, 180_000)
