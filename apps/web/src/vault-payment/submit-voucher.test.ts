import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { encodeFunctionData } from 'viem'
import { beforeEach, expect, test, vi } from 'vitest'
import type { VoucherSubmission } from './submit-voucher.ts'
import { FakeCore } from './testing/wallet-core.ts'

const current = vi.hoisted(() => ({ core: undefined as unknown }))

vi.mock('../api/query-client.ts', () => ({
  refreshPersonalData: async () => {},
  queryClient: { invalidateQueries: async () => {}, removeQueries: () => {} },
}))
vi.mock('../wallet/wallet.ts', () => ({ wallet: async () => current.core }))

const { submitVoucher } = await import('./submit-voucher.ts')
const { readPayment } = await import('./payment-record.ts')

const vault = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const token = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const signature = `0x${'5a'.repeat(65)}` as const

let chain: FakeCore
let orders = 0
let submission: VoucherSubmission

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('window', { addEventListener: () => {} })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  chain = new FakeCore()
  current.core = chain.core
  orders += 1
  const stated = { account, asset: token, amount: 50n, nonce: 7n, deadline: 1_900n } as const
  const calldata = encodeFunctionData({ abi: clearwellVaultAbi, functionName: 'withdraw', args: [stated, signature] })
  const voucher = { account, asset: token, amount: '50', nonce: '7', deadline: '1900' }
  const order = { voucher, signature, to: vault, calldata }
  submission = { orderId: `out-${orders}`, account: account.toLowerCase(), vault, token, units: 50n, order }
})

const record = () => readPayment(submission.account, submission.orderId)
const failure = async () => (await submitVoucher(submission)).failure

test('submits a voucher, follows it and stores its hash', async () => {
  expect(await submitVoucher(submission)).toEqual({ state: 'mined', isRunning: false, isPrepared: true })
  expect(chain.asked).toEqual(['withdraw 50 with 0', 'follow 0xpaid as number 3'])
  expect(record()).toMatchObject({ asked: true, hash: '0xpaid' })
})

test.each([
  ['of another amount', { units: 51n }, 'amount'],
  ['of another asset', { token: null }, 'asset'],
  ['for another account', { account: vault }, 'account'],
  ['for another contract', { vault: token }, 'vault'],
])('rejects a voucher %s than confirmed without asking the wallet', async (_name, confirmed, fault) => {
  submission = { ...submission, ...confirmed }
  expect(await failure()).toMatchObject({ reason: 'call_differs', fault })
  expect(chain.asked).toEqual([])
})

test('a voucher past its deadline is not submitted', async () => {
  chain.chainSeconds = 1_901n
  expect(await failure()).toMatchObject({ reason: 'reverted', revert: 'VoucherExpired' })
  expect(chain.asked).toEqual([])
})

test.each(['NonceUsed', 'WithdrawalExceedsLimit', 'WithdrawalExceedsCap', 'EnforcedPause'] as const)(
  'reports %s before it asks the wallet',
  async (name) => {
    chain.objections.withdraw = new Error(`execution reverted: ${name}`)
    expect(await failure()).toMatchObject({ reason: 'reverted', revert: name })
    expect(chain.asked).toEqual([])
  },
)

test('finds and stores the reason of a reverted submission', async () => {
  chain.outcomes['0xpaid'] = { outcome: 'reverted' }
  let asks = 0
  chain.core.estimateFee = async () => {
    asks += 1
    if (asks > 1) throw new Error('execution reverted: WithdrawalExceedsLimit')
    return 1n
  }
  expect(await failure()).toMatchObject({
    reason: 'payment_failed',
    lost: 'reverted',
    revert: 'WithdrawalExceedsLimit',
  })
  expect(record()).toMatchObject({ failedHash: '0xpaid', failedRevert: 'WithdrawalExceedsLimit' })
})

test('a wallet without gas is not asked', async () => {
  chain.native = 0n
  expect(await failure()).toMatchObject({ reason: 'gas' })
  Object.assign(chain, { native: 10n, fee: 11n })
  expect(await failure()).toMatchObject({ reason: 'gas' })
  expect(chain.asked).toEqual([])
})
