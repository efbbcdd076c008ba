import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findPostgres, HOW_TO_GET_POSTGRES, startPostgres } from '../../../scripts/postgres.ts'
import { BUILD_MS, build, isAsked, runProgram, startRelease } from './release-process.ts'
import { callAt, swapOnce } from './swap-once.ts'
import { OWNER_KEY, stagingFile, startTestnet, type Testnet } from './testnet.ts'

/** A release with a real PostgreSQL, in an empty folder, far from the sources and their packages. */
const canRun = isAsked && findPostgres() !== undefined
if (isAsked && !canRun) console.warn(`The tests of a release are skipped. ${HOW_TO_GET_POSTGRES}`)

const SIGNER_KEY = generatePrivateKey()
const ends: (() => Promise<unknown>)[] = []
let folder: string
let release: string
let line: string
let empty: string
let chain: Testnet

beforeAll(async () => {
  if (!canRun) return
  folder = await mkdtemp(join(tmpdir(), 'clearwell-release-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  release = join(folder, 'release')
  empty = join(folder, 'empty')
  await mkdir(empty)
  line = await build(release)
  chain = await startTestnet(join(folder, 'chain'))
  ends.push(chain.stop)
}, BUILD_MS)
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

test.runIf(canRun)(
  'two builds of the same sources have the same files',
  async () => {
    const again = await build(join(folder, 'again'))
    const [, sha256 = 'none'] = /sha256 of SHA256SUMS ([0-9a-f]{64})$/.exec(line) ?? []
    expect(again).toContain(sha256)
    const sums = await readFile(join(release, 'SHA256SUMS'), 'utf8')
    expect(sums.split('\n').filter((each) => /anvil|forge|demo\/|local\.json|\.test\./.test(each))).toEqual([])
  },
  BUILD_MS,
)

test.runIf(canRun)('a release says that the local profile is not part of it', async () => {
  const { code, stderr } = await runProgram(join(release, 'main.js'), [], { cwd: empty, variables: {} })
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^This is a release, and the local profile is not part of it\./),
  ])
})

test.runIf(canRun)(
  'a release deploys a vault, serves the web app and swaps',
  async () => {
    const postgres = await startPostgres({ fsync: true })
    ends.push(postgres.stop)
    const [first, second] = [await freePort(), await freePort()]
    const CONFIG_FILE = join(folder, 'clearwell.json')
    await chain.writeConfig(stagingFile(release), CONFIG_FILE)
    await writeFile(join(folder, 'database-url'), `${postgres.url}\n`)
    const variables = {
      PROFILE: 'staging',
      VAULT_KIND: 'plain',
      CONFIG_FILE,
      DATABASE_URL_FILE: join(folder, 'database-url'),
      CHAIN_RPC_URL: chain.rpcUrl,
      PUBLIC_RPC_URL: 'https://node.example',
      PUBLIC_URL: 'https://app.example',
      SIGNER_KEY,
      BOX_SEED_KEY: generatePrivateKey(),
      METRICS_PORT: 'off',
      SERVER_URL: `http://127.0.0.1:${first}`,
      PORT: String(first),
    }
    const at = (program: string, args: readonly string[], more: Record<string, string> = {}) =>
      runProgram(join(release, program), args, { cwd: empty, variables: { ...variables, ...more } })

    const roles = ['--owner', chain.owner, '--signer', privateKeyToAddress(SIGNER_KEY)]
    const guardian = ['--guardian', privateKeyToAddress(generatePrivateKey())]
    const deploy = ['deploy', '--config', CONFIG_FILE, ...roles, ...guardian, '--execute']
    const deployed = await at('vault.js', deploy, { DEPLOYER_KEY: OWNER_KEY })
    expect(deployed).toMatchObject({ code: 0, stdout: expect.stringContaining('Its limits are set.') })
    expect(await at('operator.js', ['check'])).toMatchObject({ code: 0, stdout: expect.not.stringContaining('fault') })

    const url = await startRelease(release, { cwd: empty, variables, ends })
    const other = { ...variables, DATA_DIR: '.data-2', PORT: String(second), SERVER_URL: `http://127.0.0.1:${second}` }
    const follower = await startRelease(release, { cwd: empty, variables: other, ends })
    const page = await (await fetch(url)).text()
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? []
    const statuses = [script, '/readyz', '/icons/token.json?icons=bnb,rt', '/api/docs'].map(
      async (path) => (await fetch(url + path)).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200])

    const { vault } = JSON.parse(await readFile(CONFIG_FILE, 'utf8')).chain
    await chain.pay(vault, parseEther('2000'))
    const { swap } = await swapOnce(callAt(follower), chain, vault)
    expect([swap.code, Number(swap.data.amount_out)]).toEqual([1, expect.closeTo(49.6275, 4)])
    expect(await at('operator.js', ['audit'])).toMatchObject({ code: 0, stderr: '' })
  },
  120_000,
)
