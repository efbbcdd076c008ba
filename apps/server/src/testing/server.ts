import { randomUUID } from 'node:crypto'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Envelope, Locale } from '@clearwell/api/codes'
import { type PayloadInput, type ResponseOf, type RouteName, routes } from '@clearwell/api/routes'
import { copyMigratedPglite, expectBooksBalanced, newTestPostgres } from '@clearwell/ledger/testing/database'
import qs from 'qs'
import { createTestClient, defineChain, erc20Abi, http, parseEther, publicActions } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import * as z from 'zod/mini'
import { loadConfig } from '../load-config.ts'
import { createSpareGasWallet } from '../platform/chain/spare-gas.ts'
import { expectCustodyExact } from '../platform/chain/testing/local-chain.ts'
import { MIGRATION_FOLDERS, PGLITE_FOLDER } from '../platform/database/open-database.ts'
import { type RunningServer, type StartOptions, startServer } from '../server.ts'

/** The whole server for tests, on real parts: its own database and its own local chain. */
export interface TestServer extends RunningServer {
  /** Bugs and alarms that were reported. A test that expects none says so. */
  readonly errors: { error: unknown; task: string }[]
  /**
   * Calls as a foreign client would: a form, the envelope back. A success is checked against the route's response schema.
   */
  call<Name extends RouteName>(
    name: Name,
    payload: PayloadInput<Name>,
    options?: CallOptions,
  ): Promise<Reply<ResponseOf<Name>>>
  /** The data of a call that must succeed. */
  ok<Name extends RouteName>(name: Name, payload: PayloadInput<Name>, options?: CallOptions): Promise<ResponseOf<Name>>
  /** A new wallet that has signed in. With `account`, the wallet of before a restart: the vault has another address since. */
  newUser(options?: { pid?: string; faucet?: boolean; account?: TestUser['account'] }): Promise<TestUser>
  /** Ends the server and starts it again on the same data, with changes to its environment. */
  restart(changes?: NodeJS.ProcessEnv): Promise<TestServer>
  /** Ends the server and deletes its data. */
  destroy(): Promise<void>
}

export interface CallOptions {
  readonly token?: string
  readonly key?: string
  readonly locale?: Locale
  readonly as?: 'form' | 'json'
}

export interface Reply<Data> extends Envelope<Data> {
  readonly status: number
}

export interface TestUser {
  readonly account: PrivateKeyAccount
  readonly token: string
  /** The address in lower case. */
  readonly id: string
  /** Pays the vault for an order or without one; the transaction is mined when this returns, the credit is not awaited. */
  pay(
    asset: 'BNB' | 'USDT' | 'ETH',
    call: { to: string; calldata: string; value: string; amount: string },
  ): Promise<`0x${string}`>
  /** Transfers in through an order and waits for the credit. */
  transferIn(asset: 'BNB' | 'USDT' | 'ETH', amount: string): Promise<void>
  activateByBalance(): Promise<void>
  available(asset: string): Promise<string>
}

type TestOptions = Pick<StartOptions, 'log' | 'people' | 'stopWithinMs' | 'watchDatabase'>

/** Starts a server for one test file: on PGlite, or on PostgreSQL where `TEST_DATABASE` is `postgres`. */
export async function startTestServer(
  variables: NodeJS.ProcessEnv = {},
  options: TestOptions = {},
): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clearwell-test-'))
  const isPostgres = process.env.TEST_DATABASE === 'postgres'
  const isOwn = isPostgres && variables.DATABASE_URL === undefined
  const database = isOwn ? await newTestPostgres(MIGRATION_FOLDERS) : undefined
  if (!isPostgres && variables.DATA_DIR === undefined)
    await copyMigratedPglite(join(dataDir, PGLITE_FOLDER), MIGRATION_FOLDERS)
  const environment = {
    PROFILE: 'local',
    PORT: '0',
    CHAIN_PORT: '0',
    METRICS_PORT: 'off',
    // Tests of the server say what a pool holds. Those of simulated people turn their trader on.
    ARBITRAGE: 'off',
    // Their thread takes a tenth of a second to start. Tests of proofs turn them on.
    PROOFS: 'off',
    DATA_DIR: dataDir,
    ...(database ? { DATABASE_URL: database.socketUrl } : {}),
    ...variables,
  }
  return open(environment, options, async () => {
    await rm(dataDir, { recursive: true, force: true })
    await database?.drop()
  })
}

async function open(
  environment: NodeJS.ProcessEnv,
  options: TestOptions,
  cleanUp: () => Promise<void>,
): Promise<TestServer> {
  const errors: TestServer['errors'] = []
  // `npm test` prints how many there were.
  const { TEST_SERVER_LOG } = process.env
  if (TEST_SERVER_LOG) await appendFile(TEST_SERVER_LOG, `${expect.getState().testPath}\n`)
  const loaded = await loadConfig(environment)
  // As in the files of `localConfigFile`: a test must not depend on the hour.
  const hasFile = environment.CONFIG_FILE !== undefined
  const config = hasFile ? loaded : { ...loaded, market: { ...loaded.market, moves: false } }
  const onError = (error: unknown, task: string) => errors.push({ error, task })
  const server = await startServer(config, { apiOnly: true, folderWaitMs: 0, onError, ...options })
  const call: TestServer['call'] = async (name, payload, { token, key, locale = 'en', as = 'form' } = {}) => {
    const { method, path } = routes[name]
    const query = qs.stringify(payload, { arrayFormat: 'brackets' })
    const response = await server.app.inject({
      method,
      url: `/api${path}${method === 'GET' && query ? `?${query}` : ''}`,
      headers: {
        'xx-device-type': 'web',
        'accept-language': locale,
        'content-type': as === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
        ...(token ? { 'xx-token': token } : {}),
        ...(key ? { 'idempotency-key': key } : {}),
      },
      ...(method === 'POST' ? { payload: as === 'form' ? query : JSON.stringify(payload) } : {}),
    })
    const reply = { ...response.json(), status: response.statusCode }
    if (reply.code === 1) z.parse(routes[name].response, reply.data)
    return reply
  }
  const ok: TestServer['ok'] = async (name, payload, options) => {
    const reply = await call(name, payload, options)
    if (reply.code !== 1) throw new Error(`${name} answered ${reply.code} ${reply.msg}: ${JSON.stringify(reply.data)}`)
    return reply.data
  }
  return {
    ...server,
    errors,
    call,
    ok,
    newUser: (options) => newUser(server, ok, options),
    async restart(changes = {}) {
      await server.stop()
      return open({ ...environment, ...changes }, options, cleanUp)
    },
    async destroy() {
      await server.stop()
      await cleanUp()
    },
  }
}

async function newUser(
  server: RunningServer,
  ok: TestServer['ok'],
  {
    pid,
    faucet = true,
    account = privateKeyToAccount(generatePrivateKey()),
  }: Parameters<TestServer['newUser']>[0] = {},
): Promise<TestUser> {
  const { address } = account
  const { nonceStr } = await ok('getNonce', { address })
  const signature = await account.signMessage({ message: nonceStr })
  const { token } = await ok('login', { address, signature, pid, device_type: 'web' })
  if (faucet) await ok('localFaucet', { address })
  const chain = defineChain({
    id: server.config.chain.id,
    name: 'local',
    nativeCurrency: server.config.chain.native,
    rpcUrls: { default: { http: [server.rpcUrl] } },
  })
  const client = createTestClient({ chain, mode: 'anvil', transport: http(), pollingInterval: 20 }).extend(
    publicActions,
  )
  const wallet = createSpareGasWallet({ account, chain, transport: http() })
  const mined = async (hash: `0x${string}`) => {
    // Why not for a replacement: see `openLocalWallets`.
    await client.waitForTransactionReceipt({ hash, checkReplacement: false })
    return hash
  }
  const pay: TestUser['pay'] = async (asset, { to, calldata, value, amount }) => {
    const token = server.custody.tokens.find((each) => each.asset === asset)
    if (token) {
      const args = [to as `0x${string}`, parseEther(amount)] as const
      await mined(await wallet.writeContract({ address: token.address, abi: erc20Abi, functionName: 'approve', args }))
    }
    return mined(
      await wallet.sendTransaction({ to: to as `0x${string}`, data: calldata as `0x${string}`, value: BigInt(value) }),
    )
  }
  return {
    account,
    token,
    id: address.toLowerCase(),
    pay,
    async transferIn(asset, amount) {
      await pay(asset, await ok('buy', { asset, amount }, { token }))
      const further = server.config.chain.confirmations - 1
      if (further > 0) await client.mine({ blocks: further })
      await server.watcher.poll()
    },
    async activateByBalance() {
      await ok('activeByBalance', {}, { token })
    },
    async available(asset) {
      const balances = await ok('balances', {}, { token })
      return balances.find((each) => each.asset === asset)?.available ?? '0'
    },
  }
}

/**
 * Ends a test file that moved money on the whole server: the watcher reads the remaining payments, books and custody are
 * checked, and no unexpected error was reported. The server and its data are removed in any case.
 *
 * @param first runs before the watcher, for example to mine the blocks that confirm the last payments.
 * @param file the server's configuration, deleted too.
 * @param expected the tasks whose errors may be reported at any time until the end.
 */
export async function endExact(
  server: TestServer,
  {
    first = async () => {},
    file,
    expected,
  }: {
    first?: () => Promise<unknown>
    file?: { remove(): Promise<void> }
    expected?: RegExp
  } = {},
): Promise<void> {
  try {
    await first()
    await server.watcher.poll()
    await expectBooksBalanced(server.db)
    await expectCustodyExact(server)
    const unexpected = server.errors.filter(({ task }) => !expected?.test(task))
    const reported = unexpected.map(({ error, task }) => `${task}: ${error}`)
    if (reported.length > 0) throw new Error(`the server has reported:\n${reported.join('\n')}`)
  } finally {
    await server.destroy()
    await file?.remove()
  }
}

/** A key as our own client makes one per confirmation. */
export function newKey(): string {
  return randomUUID()
}
