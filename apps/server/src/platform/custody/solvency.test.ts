import { readTip } from '@clearwell/ledger/reads'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { withdrawalDomain, withdrawalTypes } from '@clearwell/vault/abi/withdrawal-typed-data'
import { type Hex, parseEther, zeroAddress } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { controlChain, localConfigFile } from '../chain/testing/local-chain.ts'

let server: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
let control: ReturnType<typeof controlChain>
let user: TestUser

beforeAll(async () => {
  // Only the tests read and check blocks.
  file = await localConfigFile((config) => {
    config.chain.pollMs = 3_600_000
    config.solvency = { everyMs: 600_000, maxAgeMs: 1_200_000 }
  })
  server = await startTestServer({ CONFIG_FILE: file.path })
  control = controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id })
  user = await server.newUser()
  await user.transferIn('USDT', '1000')
  await user.transferIn('BNB', '5')
  await user.activateByBalance()
  // The check of the start has ended.
  expect(await server.solvency.check()).toMatchObject({ ok: true, surplus: undefined })
})
afterEach(() => expectBooksBalanced(server.db))
afterAll(async () => {
  await server.destroy()
  await file.remove()
})

const vault = () => server.custody.vault
const held = () => control.client.getBalance({ address: vault() })
const setHeld = (value: bigint) => control.client.setBalance({ address: vault(), value })
/** Mines a block and lets the watcher read it. */
async function nextBlock(): Promise<void> {
  await control.mine(1)
  await server.watcher.poll()
}
/** Expects everything that was reported to be asserted, and gives the vault exactly what the ledger says: the guard resumes. */
async function release(): Promise<void> {
  expect(reported()).toEqual([])
  const isStopped = (await breakerEvents()).at(-1)?.kind === 'stopped'
  await nextBlock()
  const [owed] = await server.db.query<{ units: bigint }>(
    `select -units as units from balances where account = 'vault' and asset = 'BNB'`,
  )
  await setHeld(owed?.units ?? 0n)
  for (let block = 0; block < 2; block++) {
    await nextBlock()
    expect(await server.solvency.check()).toMatchObject({ ok: true, surplus: undefined })
  }
  expect(reported()).toEqual(isStopped ? [RESUMED] : [])
}
/** Takes the reports since the last call. */
const reported = () => server.errors.splice(0).map(({ error, task }) => `${task}: ${(error as Error).message}`)
const RESUMED = expect.stringMatching(
  /^solvency: withdrawals and swaps resume: the check has passed at blocks \d+ and \d+$/,
)
const missing = (amount: string) => expect.stringMatching(new RegExp(`^solvency: ${amount} missing: the vault holds `))
const surplus = (amount: string) => expect.stringMatching(new RegExp(`^solvency: ${amount} too much: `))
const breakerEvents = () => server.db.query<{ kind: string }>('select kind from breaker_events order by at, kind desc')
async function swap() {
  const deadline = new Date(Date.now() + 600_000).toISOString()
  const order = { pool_id: 'bnb-usdt', amount: '1', inverse: 0, min_amount_out: '0', deadline } as const
  return server.call('doSwap', order, { token: user.token })
}
const sell = () => server.call('sell', { asset: 'BNB', amount: '1' }, { token: user.token })
/** The public proof, after a check. */
async function reserves() {
  await server.solvency.check()
  return server.ok('proofReserves', {})
}
const bnbOf = ({ assets }: Awaited<ReturnType<typeof reserves>>) => assets.find(({ asset }) => asset === 'BNB')
const submit = async (order: { to: string; calldata: string | null }) => {
  const wallet = control.wallet(user.account)
  const call = { to: order.to as Hex, data: order.calldata as Hex, account: user.account, chain: wallet.chain }
  expect((await control.receipt(await wallet.sendTransaction(call))).status).toBe('success')
}
const SUSPENDED = { status: 200, code: 20005, data: { reason: 'insolvent' } }

describe('the public proof', () => {
  afterEach(release)

  test('the proof shows vault and debt at one block and entry', async () => {
    const found = await reserves()
    const tip = await readTip(server.db)
    expect(found).toMatchObject({
      assets: [
        { asset: 'BNB', vault: '5005', owed: '5005', difference: '0' },
        { asset: 'USDT', difference: '0' },
        { asset: 'ETH', difference: '0' },
      ],
      ledger_seq: Number(tip.seq),
      entry_hash: Buffer.from(tip.hash).toString('hex'),
      healthy: true,
      fault: null,
    })
    const block = await control.client.getBlock({ blockNumber: BigInt(found.block_number ?? -1) })
    expect(found).toMatchObject({
      block_hash: block.hash,
      block_time: new Date(Number(block.timestamp) * 1_000).toISOString(),
    })
  })

  test('the proof ignores an unread deposit and an unread voucher', async () => {
    await user.pay('BNB', await server.ok('buy', { asset: 'BNB', amount: '1' }, { token: user.token }))
    const before = await reserves()
    expect(bnbOf(before)).toEqual({ asset: 'BNB', vault: '5005', owed: '5005', difference: '0' })
    await server.watcher.poll()
    expect(bnbOf(await reserves())).toMatchObject({ vault: '5006', owed: '5006' })

    await submit(await server.ok('sell', { asset: 'BNB', amount: '1' }, { token: user.token }))
    expect(bnbOf(await reserves())).toMatchObject({ vault: '5006', owed: '5006', difference: '0' })
    await server.watcher.poll()
    const after = await reserves()
    expect(bnbOf(after)).toMatchObject({ vault: '5005', owed: '5005', difference: '0' })
    expect(after.block_number).toBeGreaterThan(before.block_number ?? 0)
    expect(after.ledger_seq).toBeGreaterThan(before.ledger_seq ?? 0)
  })

  test('the proof reports a missing unit, a surplus, and the recovery', async () => {
    const all = await held()
    for (const [units, difference, healthy] of [
      [all - 1n, '-0.000000000000000001', false],
      [all + 3n, '0.000000000000000003', true],
      [all, '0', true],
    ] as const) {
      await setHeld(units)
      await nextBlock()
      const found = await reserves()
      expect(bnbOf(found)?.difference).toBe(difference)
      expect(found).toMatchObject({ healthy, fault: healthy ? null : 'missing' })
    }
    expect(reported()).toEqual([missing('0\\.000000000000000001 BNB'), surplus('0\\.000000000000000003 BNB'), RESUMED])
  })
})

describe('the solvency guard', () => {
  afterEach(release)

  test('stops only swaps and withdrawals and reports the numbers', async () => {
    const all = await held()
    await setHeld(all - 1n)
    await nextBlock()
    expect(await server.solvency.check()).toMatchObject({ ok: false })
    expect(await swap()).toMatchObject(SUSPENDED)
    expect(await sell()).toMatchObject(SUSPENDED)
    const quote = { pool_id: 'bnb-usdt', amount: '1', inverse: 0 } as const
    expect(await server.call('getQuote', quote)).toMatchObject(SUSPENDED)
    expect((await server.ok('pairs', {})).map((pair) => pair.suspended)).toEqual([true, true, true])
    expect(await server.solvency.beforeSigning()).toEqual({ ok: false, reason: 'insolvent' })

    // Reads and deposits continue, and the server stays ready.
    expect(await user.available('BNB')).toBe('5')
    await user.transferIn('BNB', '2')
    expect(await user.available('BNB')).toBe('7')
    expect((await server.app.inject('/readyz')).statusCode).toBe(200)

    expect(reported()).toEqual([
      expect.stringMatching(
        /^solvency: 0\.000000000000000001 BNB missing: the vault holds 5004\.999999999999999999 BNB at block \d+, the ledger says 5005 BNB$/,
      ),
    ])
    // The same shortfall at another block is not reported again.
    await nextBlock()
    await server.solvency.check()
    expect(reported()).toEqual([])
  })

  test('resumes only after passing at two different blocks', async () => {
    const earlier = await breakerEvents()
    const all = await held()
    await setHeld(all - 1n)
    await nextBlock()
    await server.solvency.check()
    await setHeld(all)
    await nextBlock()
    for (let again = 0; again < 3; again++) expect(await server.solvency.check()).toMatchObject({ ok: true })
    expect(await swap()).toMatchObject(SUSPENDED)
    expect(await server.solvency.beforeSigning()).toEqual({ ok: false, reason: 'insolvent' })
    await nextBlock()
    await server.solvency.check()
    expect(await swap()).toMatchObject({ code: 1 })
    expect((await server.ok('pairs', {})).map((pair) => pair.suspended)).toEqual([false, false, false])
    expect(await server.solvency.beforeSigning()).toEqual({ ok: true })
    const events = (await breakerEvents()).slice(earlier.length)
    expect(events.map((event) => event.kind)).toEqual(['stopped', 'released'])
    expect(reported()).toEqual([missing('0\\.000000000000000001 BNB'), RESUMED])
  })

  test('the guard passes an unread or unconfirmed deposit', async () => {
    const order = await server.ok('buy', { asset: 'BNB', amount: '1' }, { token: user.token })
    await user.pay('BNB', order)
    expect(await server.solvency.check()).toMatchObject({ ok: true, surplus: undefined })
    await server.watcher.poll()
    expect(await server.solvency.check()).toMatchObject({ ok: true, surplus: undefined })
  })

  test('the guard passes a withdrawal at any of its steps', async () => {
    const order = await server.ok('sell', { asset: 'BNB', amount: '1' }, { token: user.token })
    expect(await server.solvency.check()).toMatchObject({ ok: true, surplus: undefined })
    await submit(order)
    expect(await server.solvency.check()).toMatchObject({ ok: true, surplus: undefined })
    await server.watcher.poll()
    expect(await server.solvency.check()).toMatchObject({ ok: true, surplus: undefined })
  })

  test('a surplus passes the guard and is reported once', async () => {
    await setHeld((await held()) + 7n)
    await nextBlock()
    for (let again = 0; again < 2; again++) {
      expect(await server.solvency.check()).toMatchObject({
        ok: true,
        surplus: { key: '0.000000000000000007 BNB too much' },
      })
    }
    expect(reported()).toEqual([surplus('0\\.000000000000000007 BNB')])
    expect(await swap()).toMatchObject({ code: 1 })
  })

  test('the solvency guard stays stopped after another shortfall', async () => {
    const all = await held()
    for (const units of [all - 1n, all, all - 2n, all]) {
      await setHeld(units)
      await nextBlock()
      await server.solvency.check()
    }
    expect(await swap()).toMatchObject(SUSPENDED)
    await nextBlock()
    await server.solvency.check()
    expect(await swap()).toMatchObject({ code: 1 })
    const [once, twice] = ['0\\.000000000000000001 BNB', '0\\.000000000000000002 BNB'].map(missing)
    expect(reported()).toEqual([once, twice, RESUMED])
  })

  // A ledger without a paid voucher stops withdrawals, so this one comes last.
  test('detects a paid voucher that the ledger does not know', async () => {
    const signer = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: 1 })
    const { timestamp } = await control.client.getBlock()
    const voucher = {
      account: user.account.address,
      asset: zeroAddress,
      amount: parseEther('3'),
      nonce: 4711n,
      deadline: timestamp + 3_600n,
    } as const
    const domain = withdrawalDomain({ chainId: server.config.chain.id, vault: vault() as Hex })
    const signature = await signer.signTypedData({
      domain,
      types: withdrawalTypes,
      primaryType: 'Withdrawal',
      message: voucher,
    })
    const wallet = control.wallet(user.account)
    const hash = await wallet.writeContract({
      address: vault() as Hex,
      abi: clearwellVaultAbi,
      functionName: 'withdraw',
      args: [voucher, signature],
      account: user.account,
      chain: wallet.chain,
    })
    expect((await control.receipt(hash)).status).toBe('success')
    // The block is not read yet, so the books are those of the block before.
    expect(await server.solvency.check()).toMatchObject({ ok: true })
    await server.watcher.poll()
    expect(await server.solvency.check()).toMatchObject({ ok: false, fault: { key: '3 BNB missing' } })
    expect(await swap()).toMatchObject(SUSPENDED)
    const unknown = expect.stringMatching(/^withdrawals: the vault's payment 31337:0x\w+:0: no order has its nonce$/)
    expect(reported()).toEqual([unknown, missing('3 BNB')])
  })
})

// Last: the watcher halts at the next block.
test('a replaced block stops signing, and swaps continue', async () => {
  await nextBlock()
  await control.reorg(1)
  await expect(server.solvency.check()).rejects.toThrow(/on the chain, and 0x[0-9a-f]{64} in the books/)
  await expect(server.solvency.beforeSigning()).rejects.toThrow()
  expect(await swap()).toMatchObject({ code: 1 })
})
