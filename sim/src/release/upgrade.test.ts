import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { findPostgres, startPostgres } from '../../../scripts/postgres.ts'
import { lastRelease } from '../../../scripts/release/last-release.ts'
import { checkOut } from '../../../scripts/working-copy.ts'
import { startSwapLoad } from '../drills/swap-load.ts'
import { type ApiDocument, findBrokenCalls } from './compare-api.ts'
import { startReadings } from './readings.ts'
import { BUILD_MS, build, isAsked, ROOT, runProgram, startStoppable } from './release-process.ts'
import { callAt, newMember } from './swap-once.ts'
import { OWNER_KEY, stagingFile, startTestnet, type Testnet } from './testnet.ts'

/**
 * The release before this one and today's, beside each other on one PostgreSQL, under load: upgraded in turn, taken back in turn,
 * and upgraded again. `npm run nightly -- upgrade`.
 */
const tag = lastRelease(ROOT)
const canRun = isAsked && findPostgres() !== undefined && tag !== undefined
if (isAsked && !canRun) console.warn('The upgrade is skipped: it needs PostgreSQL, and a tag of an earlier version.')

const MEMBERS = 4
/** Swaps that are acknowledged after each change of a server, and the time for them. */
const [SWAPS, SWAPS_MS] = [150, 60_000]
const NAMES = ['first', 'second'] as const

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Builds both releases. */
async function buildBoth(folder: string): Promise<{ readonly older: string; readonly newer: string }> {
  const [older, newer, sources] = [join(folder, 'older'), join(folder, 'newer'), join(folder, 'sources')]
  checkOut(tag ?? '', sources)
  await build(older, sources)
  await build(newer)
  return { older, newer }
}

/** Writes the configuration of the older release, which the newer one keeps. */
async function writeConfig(folder: string, older: string, chain: Testnet): Promise<string> {
  const file = join(folder, 'clearwell.json')
  await chain.writeConfig(stagingFile(older), file)
  const config = JSON.parse(await readFile(file, 'utf8'))
  Object.assign(config.rateLimit, { perMinute: 1_000_000, publicPerMinute: 1_000_000 })
  await writeFile(file, JSON.stringify(config))
  return file
}

/** Two servers of the older release, with an open pool and members. Each can be put into the place of the other release. */
async function openSite(folder: string, older: string) {
  const [postgres, chain] = [await startPostgres({ fsync: true }), await startTestnet(join(folder, 'chain'))]
  ends.push(postgres.stop, chain.stop)
  const [signer, guardian] = [generatePrivateKey(), privateKeyToAddress(generatePrivateKey())]
  const CONFIG_FILE = await writeConfig(folder, older, chain)
  const shared = {
    PROFILE: 'staging',
    VAULT_KIND: 'plain',
    CONFIG_FILE,
    DATABASE_URL: postgres.url,
    CHAIN_RPC_URL: chain.rpcUrl,
    PUBLIC_RPC_URL: 'https://node.example',
    PUBLIC_URL: 'https://app.example',
    SIGNER_KEY: signer,
    BOX_SEED_KEY: generatePrivateKey(),
    SERVER_KEY: generatePrivateKey(),
    METRICS_PORT: 'off',
    DRAIN_MS: '500',
  }
  const at = (release: string, program: string, args: readonly string[]) =>
    runProgram(join(release, program), args, { cwd: folder, variables: { ...shared, DEPLOYER_KEY: OWNER_KEY } })
  const roles = ['--owner', chain.owner, '--signer', privateKeyToAddress(signer), '--guardian', guardian]
  const deployed = await at(older, 'vault.js', ['deploy', '--config', CONFIG_FILE, ...roles, '--execute'])
  expect(deployed).toMatchObject({ code: 0 })

  const ports = { first: String(await freePort()), second: String(await freePort()) }
  const urls = NAMES.map((name) => `http://127.0.0.1:${ports[name]}`)
  const start = (name: (typeof NAMES)[number], release: string) => {
    const PORT = ports[name]
    const variables = { ...shared, PORT, SERVER_URL: `http://127.0.0.1:${PORT}`, DATA_DIR: join(folder, name) }
    return startStoppable(release, { cwd: folder, variables, ends })
  }
  const servers = { first: await start('first', older), second: await start('second', older) }
  const { vault } = JSON.parse(await readFile(CONFIG_FILE, 'utf8')).chain
  await chain.pay(vault, parseEther('2000'))
  const tokens: string[] = []
  for (let count = 0; count < MEMBERS; count++)
    tokens.push((await newMember(callAt(urls[0] ?? ''), chain, vault, '200')).token)
  return {
    urls,
    tokens,
    databaseUrl: postgres.url,
    /** Stops one server, and starts this release in its place. */
    async replace(name: (typeof NAMES)[number], release: string): Promise<void> {
      expect(await servers[name].stop()).toBe(0)
      servers[name] = await start(name, release)
    },
    audit: (release: string) => at(release, 'operator.js', ['audit']),
  }
}

const apiOf = async (url = '') => (await (await fetch(`${url}/api/openapi.json`)).json()) as ApiDocument

/** The transactions in the ledger, and the versions that servers stored there. */
async function readLedger(url: string) {
  const db = await openPostgresDatabase(url, { maxConnections: 1 })
  try {
    const orders = await db.query<{ id: string }>('select id from swap_orders')
    return { ids: orders.map(({ id }) => id), servers: await db.query('select distinct version from servers') }
  } finally {
    await db.close()
  }
}

test.runIf(canRun)(
  'two releases upgrade in turn and go back without a failed request',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clearwell-upgrade-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    await mkdir(join(folder, 'chain'))
    const { older, newer } = await buildBoth(folder)
    const { urls, tokens, databaseUrl, replace, audit } = await openSite(folder, older)
    const olderApi = await apiOf(urls[0])
    const swapOf = (inverse: number) => ({
      pool_id: 'rt-usdt',
      inverse: String(inverse),
      amount: inverse ? '0.05' : '0.49',
      min_amount_out: '0',
    })
    // RT to give back.
    const call = callAt(urls[0] ?? '')
    const deadline = new Date(Date.now() + 600_000).toISOString()
    for (const token of tokens)
      expect(await call('POST', '/SwapPool/doSwap', { ...swapOf(1), amount: '4', deadline }, token)).toMatchObject({
        code: 1,
      })

    const load = startSwapLoad({ urls: () => urls, tokens, swapOf })
    const readings = startReadings(urls, tokens)
    await load.acknowledge(SWAPS, SWAPS_MS)
    const startedMs = performance.now()
    const gaps: string[] = []
    for (const release of [newer, older, newer]) {
      for (const name of NAMES) {
        const beforeMs = performance.now()
        await replace(name, release)
        await load.acknowledge(SWAPS, SWAPS_MS)
        gaps.push(`${name} to ${release === newer ? 'newer' : 'older'} ${load.longestGapSince(beforeMs).toFixed(1)} s`)
      }
    }
    const acknowledged = await load.stop()
    const { count, faults } = await readings.stop()
    const seconds = Math.round((performance.now() - startedMs) / 1_000)
    console.log(
      `${tag} and today: ${acknowledged.length} swaps and ${count} reads in ${seconds} s; longest gap: ${gaps.join(', ')}`,
    )

    expect(faults).toEqual([])
    const { ids, servers } = await readLedger(databaseUrl)
    const known = new Set(acknowledged)
    expect(acknowledged).toHaveLength(known.size)
    expect([...known].filter((id) => !ids.includes(id))).toEqual([])
    // Beside the load's, each member's first swap.
    expect(ids).toHaveLength(known.size + MEMBERS)
    expect(servers).toHaveLength(1)
    expect(await audit(newer)).toMatchObject({ code: 0, stderr: '' })
    expect(findBrokenCalls(olderApi, await apiOf(urls[0]))).toEqual([])
  },
  4 * BUILD_MS,
)
