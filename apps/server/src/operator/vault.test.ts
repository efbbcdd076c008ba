import { randomUUID } from 'node:crypto'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { clearwellVaultAbi, clearwellVaultBytecode } from '@clearwell/vault/abi/clearwell-vault'
import { encodeFunctionData, erc20Abi, type Hex, parseEther, zeroAddress } from 'viem'
import { type LocalAccount, mnemonicToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { controlChain, expectCustodyExact, localConfigFile } from '../platform/chain/testing/local-chain.ts'
import { startTestServer, type TestServer, type TestUser } from '../testing/server.ts'
import { withLedger } from './open-books.ts'
import { runInEnvironment } from './testing/run-in-environment.ts'
import { commandsOf } from './testing/runbook.ts'

/** A command can run beside a server only on a database that more than one process can open. */
const isBeside = process.env.TEST_DATABASE === 'postgres'
const wallet = (addressIndex: number) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex })
const SUSPENDED = { code: 20005, data: { reason: 'insolvent' } }

let server: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
let control: ReturnType<typeof controlChain>
let user: TestUser

beforeEach(async () => {
  file = await localConfigFile((config) => Object.assign(config.chain, { pollMs: 3_600_000 }))
  server = await startTestServer({ CONFIG_FILE: file.path })
  control = controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id })
  user = await server.newUser()
  await user.transferIn('USDT', '1000')
  await user.transferIn('BNB', '5')
  await user.activateByBalance()
}, 60_000)
afterEach(async () => {
  vi.unstubAllEnvs()
  await server.destroy()
  await file.remove()
})

/** Deploys a vault as the operator does, and makes it the configured one. */
async function deployVault(): Promise<Hex> {
  const owner = control.wallet(wallet(0))
  const args = [wallet(0).address, wallet(1).address, wallet(2).address] as const
  const deploy = {
    abi: clearwellVaultAbi,
    bytecode: clearwellVaultBytecode,
    args,
    account: wallet(0),
    chain: owner.chain,
  }
  const { contractAddress, blockNumber } = await control.receipt(await owner.deployContract(deploy))
  const vault = contractAddress as Hex
  for (const asset of [zeroAddress, ...server.custody.tokens.map(({ address }) => address)]) {
    const limits = [asset, parseEther('1000000'), parseEther('10000000')] as const
    const call = { address: vault, abi: clearwellVaultAbi, functionName: 'setLimits', args: limits } as const
    await control.receipt(await owner.writeContract({ ...call, account: wallet(0), chain: owner.chain }))
  }
  await server.watcher.poll()
  await server.db.query('update local_deployment set vault = $1, vault_block = $2', [vault, String(blockNumber)])
  return vault
}

function variables(): Record<string, string> {
  const { env } = server.config
  return {
    PROFILE: 'local',
    DATA_DIR: env.dataDir,
    CONFIG_FILE: file.path,
    CHAIN_PORT: '0',
    DATABASE_URL: env.databaseUrl ?? '',
    CHAIN_RPC_URL: isBeside ? server.rpcUrl : '',
  }
}
const operator = (args: readonly string[]) => runInEnvironment(variables(), args)

async function pauseServer(): Promise<void> {
  if (!isBeside) await server.stop()
}

async function restartServer(): Promise<void> {
  server = await server.restart()
  control = controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id })
}

/** Starts the server again where a command needed its place. */
async function resumeServer(): Promise<void> {
  if (!isBeside) await restartServer()
}

/** Leaves what a command leaves that is killed after it has stored its request. */
async function requestAndDie(payload: object): Promise<void> {
  for (const [name, value] of Object.entries(variables())) vi.stubEnv(name, value)
  await withLedger((_config, db) =>
    db.query(
      `insert into operator_requests (id, kind, payload, reason, asked_at)
       values ($1, 'move_vault', $2, 'killed', clock_timestamp())`,
      [randomUUID(), JSON.stringify(payload)],
    ),
  )
}

async function send(calls: readonly { to: Hex; calldata: Hex }[], account: LocalAccount = wallet(4)): Promise<void> {
  const sender = control.wallet(account)
  for (const { to, calldata: data } of calls) {
    const hash = await sender.sendTransaction({ account, chain: sender.chain, to, data })
    expect(await control.receipt(hash)).toMatchObject({ status: 'success' })
  }
}

/** Reads a new block and checks it. */
async function checkNextBlock() {
  await control.mine(1)
  await server.watcher.poll()
  return server.solvency.check()
}
async function available(asset: string) {
  return (await server.ok('balances', {}, { token: user.token })).find((each) => each.asset === asset)?.available
}
const sell = () => server.call('sell', { asset: 'BNB', amount: '1' }, { token: user.token })
const [tryMove, move, breaker, tryTransfer, transfer, status, tryCredit, credit] = commandsOf(
  'replace-the-vault',
) as string[][]

test('the runbook of a replaced vault loses no unit', async () => {
  const open = await server.ok('sell', { asset: 'BNB', amount: '1.25' }, { token: user.token })
  const late = await server.ok('buy', { asset: 'USDT', amount: '20' }, { token: user.token })
  const old = server.custody.vault
  const vault = await deployVault()
  const { number: head } = await control.client.getBlock()

  await pauseServer()
  expect(await operator(['reconcile'])).toMatchObject({ code: 1, stderr: expect.stringMatching(/vault move/) })
  const ids = { from: old.toLowerCase(), to: vault.toLowerCase() }
  expect((await operator(tryMove ?? [])).stdout).toMatch(/^Dry run, nothing was changed/)
  await requestAndDie({ chainId: String(server.config.chain.id), ...ids, unusedTo: String(head) })
  for (let again = 0; again < 2; again++) expect(await operator(move ?? [])).toMatchObject({ code: 0, stderr: '' })
  expect(await operator(breaker ?? [])).toMatchObject({ code: 1, stdout: expect.stringContaining(vault.toLowerCase()) })
  if (isBeside) {
    // The server with the old vault can neither book a payment nor close the breaker.
    await checkNextBlock()
    await checkNextBlock()
    expect(server.watcher.halted).toMatch(/moved to another vault/)
  }
  await restartServer()
  expect(await server.db.query(`select kind from operator_actions`)).toEqual([{ kind: 'move_vault' }])
  expect(server.custody.vault).toBe(vault)

  // An old page still pays the old vault.
  const token = server.custody.tokens.find(({ asset }) => asset === 'USDT')?.address as Hex
  const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [old, parseEther('20')] })
  await send(
    [
      { to: token, calldata: approval },
      { to: late.to as Hex, calldata: late.calldata as Hex },
    ],
    user.account,
  )
  expect(await checkNextBlock()).toMatchObject({ ok: false })
  expect(await sell()).toMatchObject(SUSPENDED)
  expect(await available('USDT')).toBe('990')
  const [shown] = (await server.ok('sellOrders', {}, { token: user.token })).items
  expect(shown).toMatchObject({ order_id: open.order_id, status: 'locked', calldata: null, to: vault })

  await pauseServer()
  expect((await operator(tryTransfer ?? [])).stdout).toMatch(/^Dry run, nothing was changed/)
  expect((await operator(tryCredit ?? [])).stderr).toMatch(/move the money of these deposits first/)
  const signed = await operator([...(transfer ?? []), '--json'])
  const { transactions } = JSON.parse(signed.stdout)
  await resumeServer()

  // Half of the money is there, and the server is restarted.
  const [first, ...others] = transactions
  await send([first])
  expect(await checkNextBlock()).toMatchObject({ ok: false })
  await restartServer()
  await send(others)
  for (let again = 0; again < 2; again++) expect(await checkNextBlock()).toMatchObject({ ok: true })
  const swap = { pool_id: 'bnb-usdt', amount: '1', inverse: 0, min_amount_out: '0' } as const
  const deadline = new Date(Date.now() + 600_000).toISOString()
  await server.ok('doSwap', { ...swap, deadline }, { token: user.token })
  expect(await sell()).toMatchObject({ code: 1, data: { status: 'signed', to: vault } })

  await pauseServer()
  expect((await operator(status ?? [])).stdout).toMatch(/^Not credited: 20 USDT of 0x/m)
  expect((await operator(tryCredit ?? [])).stdout).toMatch(/^Dry run[\s\S]* 20 USDT/)
  expect(await operator(credit ?? [])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Credited: 20 USDT/) })
  expect(await operator(credit ?? [])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^No deposit/) })
  await resumeServer()
  // The voucher of the old vault expires.
  await control.client.increaseTime({ seconds: 7_200 })
  await checkNextBlock()
  const orders = (await server.ok('sellOrders', {}, { token: user.token })).items
  expect(orders.map((order) => order.status)).toEqual(['expired', 'expired'])
  expect(await available('BNB')).toBe('4')
  await pauseServer()
  for (const args of commandsOf('replace-the-vault').slice(8)) expect(await operator(args)).toMatchObject({ code: 0 })
  await resumeServer()
  expect(await checkNextBlock()).toMatchObject({ ok: true, surplus: undefined })
  expect(await available('USDT')).not.toBe('990')
  await expectBooksBalanced(server.db)
  await expectCustodyExact(server)
}, 180_000)

test('the old vault pays its open voucher after the move', async () => {
  const open = await server.ok('sell', { asset: 'BNB', amount: '1.25' }, { token: user.token })
  await deployVault()
  await pauseServer()
  await operator(move ?? [])
  await restartServer()
  await send([{ to: open.to as Hex, calldata: open.calldata as Hex }])
  expect(await checkNextBlock()).toMatchObject({ ok: false })
  const [order] = (await server.ok('sellOrders', {}, { token: user.token })).items
  expect(order).toMatchObject({ status: 'completed' })
  expect(server.errors.map(({ doing }) => doing)).not.toContain('withdrawals')
  await expectBooksBalanced(server.db)
}, 120_000)
