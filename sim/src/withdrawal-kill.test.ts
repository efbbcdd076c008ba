import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyMigratedPglite, newTestPostgres } from '@clearwell/ledger/testing/database'
import { parseUnits } from '@clearwell/money/decimal'
import { type Anvil, startAnvil } from '@clearwell/server/src/platform/chain/anvil.ts'
import { createSpareGasWallet } from '@clearwell/server/src/platform/chain/spare-gas.ts'
import { MIGRATION_FOLDERS, PGLITE_FOLDER } from '@clearwell/server/src/platform/database/open-database.ts'
import { createPublicClient, defineChain, type Hex, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyNth } from './kill-choice.ts'
import { startKilledServer } from './killed-server.ts'
import type { Facts } from './withdrawal-kill-child.ts'

const TIMEOUT_MS = 300_000
const CHAIN_ID = 31337
/** Long after any voucher's deadline. */
const PAST_DEADLINE_S = 2 * 3600
/** Where to kill: before a transaction that writes is committed, while it is, and after. What lies within leaves no trace. */
const STEP = /^(before commit|sent commit|after commit) #/
const TRANSFERRED_IN = '100'
const WITHDRAWN = '0.5'

let folder: string
let anvil: Anvil
let environment: NodeJS.ProcessEnv
let dropDatabase = async () => {}
let server: Server
let user: User

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-withdrawal-kill-'))
  anvil = await startAnvil({ folder: join(folder, 'chain'), port: 0, chainId: CHAIN_ID })
  const isPostgres = process.env.TEST_DATABASE === 'postgres'
  const database = isPostgres ? await newTestPostgres(MIGRATION_FOLDERS) : undefined
  if (database) dropDatabase = database.drop
  else await copyMigratedPglite(join(folder, 'data', PGLITE_FOLDER), MIGRATION_FOLDERS)
  environment = {
    ARBITRAGE: 'off',
    ...process.env,
    PROFILE: 'local',
    PORT: '0',
    METRICS_PORT: 'off',
    DATA_DIR: join(folder, 'data'),
    CHAIN_RPC_URL: anvil.rpcUrl,
    CONFIG_FILE: await configWithoutPolling(),
    ...(database ? { DATABASE_URL: database.url } : {}),
  }
  server = await startServer()
  user = await newUser()
  await user.transferIn(TRANSFERRED_IN)
})

afterAll(async () => {
  await server?.end()
  await anvil?.stop()
  await dropDatabase()
  await rm(folder, { recursive: true, force: true })
})

describe('a transfer out whose server is killed with SIGKILL', () => {
  test(
    'a transfer out requested during a kill is paid once',
    async () => {
      let calm: Order | undefined
      const positions = await steps(async () => {
        calm = await user.sell(randomUUID())
      })
      if (calm) await user.submit(calm)
      for (const killAt of everyNth(positions, 4)) {
        const key = randomUUID()
        const first = await killedDuring(killAt, () => user.sell(key))
        const order = await user.sell(key)
        if (first) expect(order).toEqual(first)
        const listed = (await user.orders()).filter((each) => each.order_id === order.order_id)
        expect(listed, killAt).toMatchObject([{ status: 'signed', voucher: order.voucher, signature: order.signature }])
        await user.submit(order)
        await expect(user.submit(order), 'the same voucher once more').rejects.toThrow()
        await advance(1)
        await expectClosed(order.order_id, 'completed')
      }
    },
    TIMEOUT_MS,
  )

  test(
    'a payment recorded during a kill is recorded once',
    async () => {
      const sellAndSubmit = async () => {
        const order = await user.sell(randomUUID())
        await user.submit(order)
        return order
      }
      const probe = await sellAndSubmit()
      const positions = await steps(() => advance(1))
      await expectClosed(probe.order_id, 'completed')
      for (const killAt of everyNth(positions, 4)) {
        const order = await sellAndSubmit()
        await killedDuring(killAt, () => advance(1))
        await advance(1)
        await expectClosed(order.order_id, 'completed')
      }
    },
    TIMEOUT_MS,
  )

  test(
    'a voucher that expires during a kill returns its amount once',
    async () => {
      let positions: string[] = []
      // Jobs look once a second, so now and then they run before the voucher expires: another order then shows the steps.
      while (positions.length <= 1) {
        const probe = await user.sell(randomUUID())
        // Then follow the jobs of these hours. The test above kills while jobs run.
        positions = await steps(() => advance(PAST_DEADLINE_S), { until: 'before with due #1' })
        await expectClosed(probe.order_id, 'expired')
      }
      for (const killAt of everyNth(positions, 4)) {
        const order = await user.sell(randomUUID())
        await killedDuring(killAt, () => advance(PAST_DEADLINE_S))
        await advance(PAST_DEADLINE_S)
        await expectClosed(order.order_id, 'expired')
        await expect(user.submit(order)).rejects.toThrow()
      }
    },
    TIMEOUT_MS,
  )
})

/** Expects an ended order, no open one, and exact balances, books and vault after a round. */
async function expectClosed(orderId: string, status: 'completed' | 'expired'): Promise<void> {
  const orders = await user.orders()
  expect(orders.find((each) => each.order_id === orderId)?.status).toBe(status)
  const open = orders.filter((each) => each.status !== 'completed' && each.status !== 'expired')
  expect(open).toEqual([])
  const { available, locked } = await user.balance()
  const paid = orders.filter((each) => each.status === 'completed').length
  expect(locked).toBe(0n)
  expect(available).toBe(units(TRANSFERRED_IN) - BigInt(paid) * units(WITHDRAWN))
  const { faults, owed } = await server.facts()
  expect(faults).toEqual([])
  expect(await client().getBalance({ address: server.vault })).toBe(owed.BNB)
}

/** The steps that `work` goes through in a server that is not killed, up to a position that it passes. */
async function steps(work: () => Promise<unknown>, { until }: { readonly until?: string } = {}): Promise<string[]> {
  await server.arm(undefined)
  await work()
  const { passed } = await server.facts()
  if (until !== undefined) expect(passed).toContain(until)
  const found = passed.slice(0, until === undefined ? undefined : passed.indexOf(until)).filter((at) => STEP.test(at))
  if (until === undefined) expect(found.length).toBeGreaterThan(1)
  return found
}

/** Has the server killed at a step of `work`, and starts it again. @returns the response before the kill, if any. */
async function killedDuring<Result>(killAt: string, work: () => Promise<Result>): Promise<Result | undefined> {
  await server.arm(killAt)
  const response = await work().catch((error: unknown) => {
    // Only a connection that broke: a refusal would be a fault of the server.
    if (error instanceof TypeError) return undefined
    throw error
  })
  // A step that only a heartbeat reaches counts too.
  expect(await server.killed).toBe(killAt)
  server = await startServer()
  return response
}

interface Order {
  readonly order_id: string
  readonly status: string
  readonly voucher: object
  readonly signature: string
  readonly to: Hex
  readonly calldata: Hex
}

type User = Awaited<ReturnType<typeof newUser>>

async function newUser() {
  const account = privateKeyToAccount(generatePrivateKey())
  const { address } = account
  await call('/Local/faucet', { address })
  // The faucet gives 10; the chain itself gives what the test moves.
  await rpc('anvil_setBalance', [address, `0x${(units('1000')).toString(16)}`])
  const { nonceStr } = await call<{ nonceStr: string }>('/DappUser/getNonce', { address })
  const signature = await account.signMessage({ message: nonceStr })
  const { token } = await call<{ token: string }>('/DappUser/login', { address, signature, device_type: 'web' })
  const chain = defineChain({
    id: CHAIN_ID,
    name: 'local',
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [anvil.rpcUrl] } },
  })
  const wallet = createSpareGasWallet({ account, chain, transport: http() })
  const send = async (to: Hex, data: Hex, value: bigint) => {
    const hash = await wallet.sendTransaction({ to, data, value })
    const receipt = await client().waitForTransactionReceipt({ hash, checkReplacement: false })
    if (receipt.status !== 'success') throw new Error('the transaction failed')
  }
  return {
    async transferIn(amount: string) {
      const order = await call<{ to: Hex; calldata: Hex; value: string }>(
        '/Wallet/buy',
        { asset: 'BNB', amount },
        { token },
      )
      await send(order.to, order.calldata, BigInt(order.value))
      await advance(1)
    },
    sell: (key: string) => call<Order>('/Wallet/sell', { asset: 'BNB', amount: WITHDRAWN }, { token, key }),
    submit: (order: Order) => send(order.to, order.calldata, 0n),
    async orders() {
      return (await call<{ items: Order[] }>('/Wallet/sellOrders', { limit: '100' }, { token })).items
    },
    async balance() {
      const balances = await call<{ asset: string; available: string; locked: string }[]>(
        '/Wallet/balances',
        {},
        { token },
      )
      const bnb = balances.find((each) => each.asset === 'BNB')
      return { available: units(bnb?.available ?? ''), locked: units(bnb?.locked ?? '') }
    },
  }
}

/** Moves the server's clock and the chain's forward, and runs what falls due, the watcher among it. */
function advance(seconds: number): Promise<unknown> {
  return call('/Local/advance', { seconds: String(seconds) })
}

async function call<Data>(
  path: string,
  payload: Readonly<Record<string, string>>,
  { token, key }: { token?: string; key?: string } = {},
): Promise<Data> {
  const response = await fetch(`${server.url}/api${path}`, {
    method: 'POST',
    headers: { ...(token ? { 'xx-token': token } : {}), ...(key ? { 'idempotency-key': key } : {}) },
    body: new URLSearchParams(payload),
  })
  const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: Data }
  if (code !== 1) throw new Error(`${path} answered ${code} ${msg} ${JSON.stringify(data)}`)
  return data
}

function client() {
  return createPublicClient({ transport: http(anvil.rpcUrl), pollingInterval: 20 })
}

async function rpc(method: string, params: unknown[]): Promise<void> {
  await client().request({ method, params } as never)
}

function units(text: string): bigint {
  const found = parseUnits(text, 18)
  if (found === undefined) throw new Error(`${text} is no amount`)
  return found
}

/** The watcher runs only when a test calls it, so that the steps of different orders do not mix. */
async function configWithoutPolling(): Promise<string> {
  const config = JSON.parse(await readFile(join(import.meta.dirname, '../../apps/server/config/local.json'), 'utf8'))
  config.chain.pollMs = 3_600_000
  config.swap.breaker.checkMs = 3_600_000
  const file = join(folder, 'config.json')
  await writeFile(file, JSON.stringify(config))
  return file
}

type Server = Awaited<ReturnType<typeof startServer>>

function startServer() {
  return startKilledServer<Facts>('withdrawal-kill', environment)
}
