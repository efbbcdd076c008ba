import { endExact, startTestServer, type TestServer } from '@clearwell/server/src/testing/server.ts'
import { type Hex, recoverAddress } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type BookkeeperVariables, chooseBookkeeper, startBookkeeper } from './local-bookkeeper.ts'

let server: TestServer
let chosen: BookkeeperVariables
const said: string[] = []
beforeAll(async () => {
  chosen = (await chooseBookkeeper({})) as BookkeeperVariables
  server = await startTestServer({ PROOFS: 'on', ...chosen })
})
afterAll(() => endExact(server))

test('a local server’s bookkeeper signs headers until it is stopped', async () => {
  const bookkeeper = startBookkeeper(server, chosen, (line) => said.push(line))
  const isSigned = async () => (await server.call('proofHeader', {})).code === 1
  await vi.waitUntil(isSigned, { timeout: 60_000, interval: 250 })
  const { hash, signatures } = await server.ok('proofHeader', {})
  const signature = signatures.bookkeeper as Hex
  expect((await recoverAddress({ hash: hash as Hex, signature })).toLowerCase()).toBe(
    chosen.BOOKKEEPER_ADDRESS.toLowerCase(),
  )
  const { proof_keys } = await server.ok('config', {})
  expect(proof_keys?.bookkeepers).toEqual([chosen.BOOKKEEPER_ADDRESS.toLowerCase()])
  await bookkeeper.stop()
  await expect(fetch(`${chosen.BOOKKEEPER_URL}/status`)).rejects.toThrow()
  expect(said.join()).toMatch(/^bookkeeper: \S+ bookkeeper 0x\w{40} serves http/)
  expect(said.join()).not.toContain('refused')
}, 90_000)

test.each([
  ['in production', { PROFILE: 'production' }],
  ['without headers', { PROOFS: 'off' }],
  ['where it is turned off', { LOCAL_BOOKKEEPER: 'off' }],
  ['beside one that is named', { BOOKKEEPER_URL: 'http://127.0.0.1:3100' }],
])('no bookkeeper is chosen %s', async (_, variables) => {
  expect(await chooseBookkeeper(variables)).toBeUndefined()
})
