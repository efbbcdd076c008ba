import { readFileSync, writeFileSync } from 'node:fs'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { parseEther } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { controlChain, expectCustodyExact, localConfigFile } from '../platform/chain/testing/local-chain.ts'
import { newKey, startTestServer, type TestServer } from '../testing/server.ts'
import { runOperator } from './run-operator.ts'
import { commandsOf } from './testing/runbook.ts'

/** Runs the commands of the runbooks, as an operator does: beside the server on PostgreSQL, after stopping it on PGlite. */
const isBeside = process.env.TEST_DATABASE === 'postgres'

let server: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
let control: ReturnType<typeof controlChain>

beforeAll(async () => {
  file = await localConfigFile((config) => Object.assign(config.chain, { pollMs: 3_600_000 }))
  server = await startTestServer({ CONFIG_FILE: file.path })
  control = controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id })
}, 60_000)
afterEach(() => void vi.unstubAllEnvs())
afterAll(async () => {
  await server.destroy()
  await file.remove()
})

async function operator(...args: string[]): Promise<{ code: number; text: string }> {
  const { env } = server.config
  vi.stubEnv('PROFILE', 'local')
  vi.stubEnv('DATA_DIR', env.dataDir)
  vi.stubEnv('CONFIG_FILE', file.path)
  vi.stubEnv('CHAIN_PORT', '0')
  vi.stubEnv('DATABASE_URL', env.databaseUrl ?? '')
  vi.stubEnv('CHAIN_RPC_URL', isBeside ? server.rpcUrl : '')
  const lines: string[] = []
  const push = (text: string) => void lines.push(text)
  const code = await runOperator(args, { log: push, error: push })
  return { code, text: lines.join('\n') }
}

async function pauseServer(): Promise<void> {
  if (!isBeside) await server.stop()
}

async function resumeServer(): Promise<void> {
  if (isBeside) return
  server = await server.restart()
  control = controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id })
}

test("the runbook of the operator's money moves it in and out", async () => {
  const user = await server.newUser()
  await user.transferIn('USDT', '50')
  await user.activateByBalance()
  const account = mnemonicToAccount('test test test test test test test test test test test junk')
  const wallet = control.wallet(account)
  const pay = { account, chain: wallet.chain, to: server.custody.vault, value: parseEther('2') }
  await control.receipt(await wallet.sendTransaction(pay))
  await server.watcher.poll()

  await pauseServer()
  const results = []
  for (const args of commandsOf('move-operator-money')) results.push({ args, ...(await operator(...args)) })
  expect(results.filter(({ code }) => code !== 0)).toEqual([])
  expect(results.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      '0.5 BNB moved from treasury to insurance.',
      expect.stringMatching(/^10 BNB and [\d.]+ USDT removed from bnb-usdt\.$/),
      expect.stringMatching(/^4 BNB and [\d.]+ USDT added to bnb-usdt\.$/),
      expect.stringMatching(/^Dry run, nothing was changed/),
      expect.stringMatching(/^Order [0-9a-f]{32} pays 1\.5 BNB to 0xf39f/),
    ]),
  )
  expect(
    results
      .at(-1)
      ?.text.split('\n')
      .filter((line) => line.includes('pay the auditors')),
  ).toHaveLength(1)
  await resumeServer()

  const { orders } = JSON.parse((await listedByRunningServer()).text)
  expect(orders).toMatchObject([{ amount: '1.5', asset: 'BNB', status: 'signed' }])
  const [{ to, calldata }] = orders
  const again = control.wallet(account)
  await control.receipt(await again.sendTransaction({ account, chain: again.chain, to, data: calldata }))
  await server.watcher.poll()
  await pauseServer()
  for (const args of commandsOf('replace-the-signer')) expect(await operator(...args)).toMatchObject({ code: 0 })
  await resumeServer()
  await server.watcher.poll()
  const [order] = await server.db.query('select status from withdrawal_orders')
  expect(order).toEqual({ status: 'completed' })
  await expectBooksBalanced(server.db)
  await expectCustodyExact(server)
}, 120_000)

test('the runbook of a UID releases it for its owner', async () => {
  const [first, owner] = [await server.newUser(), await server.newUser()]
  for (const user of [first, owner]) {
    await user.transferIn('USDT', '10')
    await user.activateByBalance()
  }
  const link = (token: string) => server.call('linkUid', { uid: '12345678', name: 'Name' }, { token, key: newKey() })
  expect((await link(first.token)).code).toBe(1)
  expect((await link(owner.token)).data).toMatchObject({ reason: 'uid_taken' })
  await pauseServer()
  const texts = []
  for (const args of commandsOf('release-a-uid')) {
    const { code, text } = await operator(...args)
    expect(code).toBe(0)
    texts.push(text)
  }
  expect(texts[0]).toMatch(/^Dry run, nothing was changed[\s\S]*The UID 12345678 leaves the account 0x/)
  expect(texts[1]).toMatch(/^The UID 12345678 leaves the account 0x/)
  expect((await operator('actions')).text).toContain('release_uid')
  await resumeServer()
  expect(await link(owner.token)).toMatchObject({ code: 1, data: { uid: '12345678' } })
  expect((await server.ok('richOverview', {}, { token: first.token })).uid).toBeNull()
}, 60_000)

/** Waits until the server has signed; on PGlite the command runs while the server is stopped. */
async function listedByRunningServer() {
  await vi.waitFor(
    async () => {
      const locked = await server.db.query(`select 1 from withdrawal_orders where status = 'locked'`)
      expect(locked).toEqual([])
    },
    { timeout: 10_000, interval: 20 },
  )
  await pauseServer()
  const listed = await operator('treasury', '--json')
  await resumeServer()
  return listed
}

test('the runbook of the watcher recovers from a deep reorganisation', async () => {
  const user = await server.newUser()
  await user.transferIn('USDT', '50')
  const { number } = await control.client.getBlock()
  await user.transferIn('BNB', '2')
  const head = await control.client.getBlock()
  await control.reorg(Number(head.number - number))
  await control.mine(3)
  for (let look = 0; look < 2; look++) await server.watcher.poll()
  expect(server.watcher.halted).toBeDefined()

  await pauseServer()
  const [status, dryRun, rewind] = commandsOf('recover-the-watcher').map((args) =>
    args.map((word) => (word === '1200' ? String(number) : word)),
  ) as [string[], string[], string[]]
  expect(await operator(...status)).toMatchObject({ code: 1, text: expect.stringContaining('the watcher halts') })
  expect((await operator(...dryRun)).text).toMatch(/^Dry run, nothing was changed.*\n.*1 credits taken back/)
  expect(await operator(...rewind)).toMatchObject({ code: 0, text: expect.stringContaining('1 credits taken back') })
  await resumeServer()
  await server.watcher.poll()
  await server.watcher.poll()
  expect(server.watcher.halted).toBeUndefined()
  const balances = await server.ok('balances', {}, { token: user.token })
  const availableOf = (asset: string) => balances.find((each) => each.asset === asset)?.available
  expect([availableOf('USDT'), availableOf('BNB')]).toEqual(['50', '0'])
  await pauseServer()
  for (const args of commandsOf('recover-the-watcher').slice(3))
    expect(await operator(...args)).toMatchObject({ code: 0 })
  await resumeServer()
  await expectBooksBalanced(server.db)
  await expectCustodyExact(server)
}, 120_000)

test('the runbook that opens a pool needs no restart', async () => {
  const account = mnemonicToAccount('test test test test test test test test test test test junk')
  const wallet = control.wallet(account)
  const pay = { account, chain: wallet.chain, to: server.custody.vault, value: parseEther('2') }
  await control.receipt(await wallet.sendTransaction(pay))
  await server.watcher.poll()
  await pauseServer()
  const config = JSON.parse(readFileSync(file.path, 'utf8'))
  config.swap.pools.push({ id: 'rt-bnb', base: 'RT', quote: 'BNB', initialBase: '1000', initialQuote: '1' })
  writeFileSync(file.path, JSON.stringify(config))
  const results = []
  for (const args of commandsOf('open-a-pool')) results.push(await operator(...args))
  expect(results).toEqual([
    { code: 0, text: expect.stringMatching(/^Dry run, nothing was changed/) },
    { code: 0, text: 'rt-bnb is open.' },
    { code: 0, text: expect.stringMatching(/^rt-bnb {2}trades$/m) },
  ])
  await resumeServer()
  const pair = await vi.waitFor(
    async () => {
      const found = (await server.ok('pairs', {})).find(({ id }) => id === 'rt-bnb')
      expect(found).toBeDefined()
      return found
    },
    { timeout: 5_000, interval: 50 },
  )
  expect(pair).toMatchObject({ reserve_base: '1000', reserve_quote: '1', suspended: false })
  await expectBooksBalanced(server.db)
  await expectCustodyExact(server)
}, 60_000)
