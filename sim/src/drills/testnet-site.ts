import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runVault } from '@clearwell/server/src/operator/deploy-vault.ts'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'
import { type Address, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { startPostgres, type ThrowawayPostgres } from '../../../scripts/postgres.ts'
import { ROOT } from '../release/release-process.ts'
import { callAt, newMember } from '../release/swap-once.ts'
import { OWNER_KEY, stagingFile, startTestnet, type Testnet } from '../release/testnet.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import type { Ends } from './drill.ts'
import { startSwapLoad } from './swap-load.ts'

const MEMBERS = 4
const CHAIN_ID = 97

/** The product in the staging profile, on a chain with the id 97: two running servers, a vault and members with money. */
export interface TestnetSite {
  readonly postgres: ThrowawayPostgres
  readonly chain: Testnet
  readonly servers: readonly ServerProcess[]
  readonly urls: readonly string[]
  readonly tokens: readonly string[]
  /** Starts both servers, at the addresses that they had before. */
  startServers(): Promise<readonly ServerProcess[]>
  /** Members who swap without end. */
  startLoad(): ReturnType<typeof startSwapLoad>
}

export async function openTestnetSite(ends: Ends): Promise<TestnetSite> {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-drill-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o777)
  const postgres = await startPostgres({ fsync: false })
  ends.push(postgres.stop)
  const chain = await startTestnet(join(folder, 'chain'))
  ends.push(chain.stop)
  const { variables, vault } = await deploy(folder, chain, postgres.url)
  const ports = [await freePort(), await freePort()]
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const startServers = async () => {
    const started: ServerProcess[] = []
    for (const [index, url] of urls.entries()) {
      const own = { PORT: String(ports[index]), SERVER_URL: url, DATA_DIR: join(folder, `server-${index}`) }
      started.push(await startServerProcess({ ...variables, ...own }, ends))
    }
    return started
  }
  const servers = await startServers()
  await chain.pay(vault, parseEther('2000'))
  const tokens: string[] = []
  for (let count = 0; count < MEMBERS; count++)
    tokens.push((await newMember(callAt(urls[0] ?? ''), chain, vault, '200')).token)
  // In one direction: the members have no RT.
  const swapOf = () => ({ pool_id: 'rt-usdt', inverse: '1', amount: '0.05', min_amount_out: '0' })
  const startLoad = () => startSwapLoad({ urls: () => urls, tokens, swapOf })
  return { postgres, chain, servers, urls, tokens, startServers, startLoad }
}

/** Deploys the vault as its page says. @returns the environment of each server. */
async function deploy(folder: string, chain: Testnet, databaseUrl: string) {
  const CONFIG_FILE = join(folder, 'clearwell.json')
  await chain.writeConfig(stagingFile(ROOT), CONFIG_FILE)
  const config = JSON.parse(await readFile(CONFIG_FILE, 'utf8'))
  Object.assign(config.rateLimit, { perMinute: 1_000_000, publicPerMinute: 1_000_000 })
  await writeFile(CONFIG_FILE, JSON.stringify(config))
  const signer = generatePrivateKey()
  const variables = {
    PROFILE: 'staging',
    VAULT_KIND: 'plain',
    CONFIG_FILE,
    DATABASE_URL: databaseUrl,
    CHAIN_RPC_URL: chain.rpcUrl,
    PUBLIC_RPC_URL: 'https://node.example',
    PUBLIC_URL: 'https://app.example',
    SIGNER_KEY: signer,
    BOX_SEED_KEY: generatePrivateKey(),
    SERVER_KEY: generatePrivateKey(),
    // No exchange is reached, and each retry is a line of the log.
    LOG_LEVEL: 'error',
  }
  const roles = ['--owner', chain.owner, '--signer', privateKeyToAddress(signer)]
  const guardian = ['--guardian', privateKeyToAddress(generatePrivateKey())]
  const lines: string[] = []
  const output = { log: (text: string) => lines.push(text), error: (text: string) => lines.push(text) }
  const args = ['deploy', '--config', CONFIG_FILE, ...roles, ...guardian, '--execute']
  const code = await runVault(args, { ...variables, DEPLOYER_KEY: OWNER_KEY }, output)
  if (code !== 0) throw new Error(`the vault was not deployed on ${CHAIN_ID}:\n${lines.join('\n')}`)
  const { vault } = JSON.parse(await readFile(CONFIG_FILE, 'utf8')).chain
  return { variables, vault: vault as Address }
}
