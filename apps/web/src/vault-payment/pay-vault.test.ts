import { beforeEach, expect, test, vi } from 'vitest'
import { vaultCalls } from '../wallet/vault-calls.ts'
import type { VaultPayment } from './pay-vault.ts'
import { FakeCore } from './testing/wallet-core.ts'

const current = vi.hoisted(() => ({ core: undefined as unknown }))

vi.mock('../api/query-client.ts', () => ({
  refreshPersonalData: async () => {},
  queryClient: { invalidateQueries: async () => {}, removeQueries: () => {} },
}))
vi.mock('../wallet/wallet.ts', () => ({ wallet: async () => current.core }))

const { payVault, resumeApproval } = await import('./pay-vault.ts')
const { toastStore } = await import('@clearwell/ui/components/toast-store.ts')
const { readPayment, savePayment } = await import('./payment-record.ts')

const account = '0xAAAA000000000000000000000000000000000001'
const DONE = { state: 'mined', isRunning: false, isPrepared: true }
const REFUSED = Object.assign(new Error('no'), { code: 4001 })
const UNSUPPORTED = Object.assign(new Error('no such method'), { code: -32601 })
const TOKEN = `0x${'e7'.repeat(20)}`
const VAULT = `0x${'5f'.repeat(20)}`
const orderId = (number: number) => `0x${number.toString(16).padStart(64, '0')}`

let chain: FakeCore
let orders = 0
let payment: VaultPayment

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('window', { addEventListener: () => {} })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  toastStore.set([])
  chain = new FakeCore()
  current.core = chain.core
  orders += 1
  payment = { account, orderId: orderId(orders), token: TOKEN, vault: VAULT, units: 50n }
})

const record = () => readPayment(account, payment.orderId)
const failure = async () => (await payVault(payment)).failure
const reason = async () => (await failure())?.reason
/** The requests to the wallet, without the transactions that were only followed. */
const asked = () => chain.asked.filter((each) => !each.startsWith('follow'))

test('approves a token exactly, pays it and stores the hashes', async () => {
  expect(await payVault(payment)).toEqual(DONE)
  expect(chain.asked).toEqual(['approve 50', 'follow 0xa50', 'deposit 50 with 0', 'follow 0xpaid as number 3'])
  expect(record()).toMatchObject({ approvalHash: '0xa50', approved: true, asked: true, hash: '0xpaid' })
})

test.each([
  ['details', Object.assign(new Error('x'), { code: -32000, details: 'The device is locked' }), 'The device is locked'],
  ['message', new Error('The wallet is away'), 'The wallet is away'],
])('shows the %s of a wallet error as a toast', { tags: ['§8.05', '§8.06'] }, async (_part, error, text) => {
  chain.refusal = error
  expect((await failure())?.detail).toBe(text)
  expect(toastStore.get().map((toast) => toast.text)).toEqual([text])
})

test('shows no toast for a payment without the wallet', async () => {
  chain.native = 0n
  expect(await reason()).toBe('gas')
  expect(toastStore.get()).toEqual([])
})

test('reuses a sufficient allowance and resets a smaller one to zero', async () => {
  chain.allowance = 50n
  await payVault(payment)
  expect(asked()).toEqual(['deposit 50 with 0'])
  chain.asked = []
  chain.allowance = 49n
  payment = { ...payment, orderId: orderId(0xff) }
  await payVault(payment)
  expect(asked()).toEqual(['approve 0', 'approve 50', 'deposit 50 with 0'])
})

test('pays the native coin without approval and keeps the fee', async () => {
  payment = { ...payment, token: null, units: 9n }
  expect(await reason()).toBeUndefined()
  expect(asked()).toEqual(['deposit 9 with 9'])
  payment = { ...payment, orderId: orderId(0xfe), units: 10n }
  expect(await reason()).toBe('gas')
  chain.fee = 2n
  payment = { ...payment, orderId: orderId(0xfd), units: 9n }
  expect(await reason()).toBe('gas')
  payment = { ...payment, units: 11n }
  expect(await reason()).toBe('token_not_enough')
  expect(asked()).toEqual(['deposit 9 with 9'])
})

test("pays only within the wallet's balance and for the expected call", async () => {
  chain.held = 49n
  expect(await reason()).toBe('token_not_enough')
  const { to, data } = vaultCalls.deposit({ ...payment, units: 51n })
  payment = { ...payment, served: { to, calldata: data, value: '0' } }
  expect(await reason()).toBe('call_differs')
  expect(chain.asked).toEqual([])
})

test('a call that would revert never reaches the wallet', async () => {
  chain.allowance = 50n
  chain.objections.deposit = new Error('execution reverted: EnforcedPause()')
  expect(await failure()).toMatchObject({ reason: 'reverted', revert: 'EnforcedPause' })
  expect(chain.asked).toEqual([])
})

test('follows an earlier payment by its hash and number, without sending again', async () => {
  savePayment(account, { orderId: payment.orderId, hash: '0xbefore', sent: { hash: '0xbefore', nonce: 7 } })
  expect(await payVault(payment)).toEqual(DONE)
  expect(chain.asked).toEqual(['follow 0xbefore as number 7'])
})

test('stores the new hash of a payment that the wallet sped up', async () => {
  chain.allowance = 50n
  chain.spedUp['0xpaid'] = '0xfaster'
  expect(await payVault(payment)).toEqual(DONE)
  expect(record()).toMatchObject({ hash: '0xfaster', sent: { hash: '0xfaster', nonce: 3 } })
})

test.each(['reverted', 'out_of_gas', 'cancelled', 'replaced', 'dropped'] as const)(
  'reports a payment that was %s and can pay it again',
  async (lost) => {
    chain.outcomes['0xpaid'] = { outcome: lost }
    expect(await failure()).toMatchObject({ reason: 'payment_failed', lost })
    expect(record()).toMatchObject({ failedHash: '0xpaid', failedBy: lost })
    expect(record()?.hash).toBeUndefined()
    expect(record()?.asked).toBeUndefined()
    chain.outcomes = {}
    expect(await reason()).toBeUndefined()
    expect(record()?.failedHash).toBeUndefined()
    expect(record()?.failedBy).toBeUndefined()
  },
)

test('reports a cancelled approval and asks for it again', async () => {
  chain.outcomes['0xa50'] = { outcome: 'cancelled' }
  expect(await failure()).toMatchObject({ reason: 'approval_failed', lost: 'cancelled' })
  expect(record()?.approvalHash).toBeUndefined()
  chain.outcomes = {}
  chain.allowance = 0n
  expect(await reason()).toBeUndefined()
  expect(asked()).toEqual(['approve 50', 'approve 50', 'deposit 50 with 0'])
})

test('follows an approval from before a reload instead of asking again', async () => {
  savePayment(account, { orderId: payment.orderId, approvalHash: '0xb', approvalSent: { hash: '0xb', nonce: 4 } })
  chain.core.readAllowance = async () => (chain.asked.includes('follow 0xb as number 4') ? 50n : 0n)
  expect(await reason()).toBeUndefined()
  expect(asked()).toEqual(['deposit 50 with 0'])
})

test('resumes an approval to its block without asking the wallet', async () => {
  const sentBefore = { orderId: payment.orderId, approvalHash: '0xb', approvalSent: { hash: '0xb', nonce: 4 } }
  savePayment(account, sentBefore)
  chain.allowance = 50n
  expect(await resumeApproval(payment)).toBeUndefined()
  expect(chain.asked).toEqual(['follow 0xb as number 4'])
  expect(record()).toMatchObject({ approved: true, approvalHash: '0xb' })
  await payVault(payment)
  expect(asked()).toEqual(['deposit 50 with 0'])
})

test('reports a resumed approval that failed or was too small', async () => {
  savePayment(account, { orderId: payment.orderId, approvalHash: '0xb' })
  chain.outcomes['0xb'] = { outcome: 'cancelled' }
  expect(await resumeApproval(payment)).toMatchObject({
    isRunning: false,
    failure: { reason: 'approval_failed', lost: 'cancelled' },
  })
  expect(record()?.approvalHash).toBeUndefined()
  payment = { ...payment, orderId: orderId(0xfc) }
  savePayment(account, { orderId: payment.orderId, approvalHash: '0xc' })
  chain.allowance = 49n
  const short = (await resumeApproval(payment))?.failure
  expect([short?.reason, short?.lost]).toEqual(['approval_failed', undefined])
  expect(record()).toEqual({ orderId: orderId(0xfc) })
  expect(asked()).toEqual([])
})

test('clears the request after a rejection but keeps it without a response', async () => {
  chain.allowance = 50n
  chain.refusal = REFUSED
  expect(await reason()).toBe('rejected')
  expect(record()?.asked).toBeUndefined()
  chain.refusal = new Error('The Provider is disconnected')
  expect(await reason()).toBe('other')
  expect(record()?.asked).toBe(true)
})

test('pays a token with a permit in one transaction', async () => {
  chain.hasPermit = true
  expect(await payVault(payment)).toEqual(DONE)
  expect(asked()).toEqual(['permit 50', 'depositWithPermit 50 with 0'])
  expect(record()).toMatchObject({ permitted: true, hash: '0xpaid' })
  expect(record()?.approvalHash).toBeUndefined()
})

test('signs no permit when the allowance suffices', async () => {
  Object.assign(chain, { hasPermit: true, allowance: 50n })
  await payVault(payment)
  expect(asked()).toEqual(['deposit 50 with 0'])
})

test('stops at a rejected permit without asking for an approval', async () => {
  Object.assign(chain, { hasPermit: true, permitResponse: REFUSED })
  expect(await failure()).toMatchObject({ reason: 'rejected' })
  expect((await payVault(payment)).state).toBe('stopped')
  expect(asked()).toEqual(['permit 50', 'permit 50'])
})

test.each([
  ['a wallet that cannot sign one', { permitResponse: UNSUPPORTED }],
  ['an account whose signature is not its key’s', { permitResponse: undefined }],
  ['a token that does not take it', { objections: { depositWithPermit: new Error('execution reverted') } }],
])('asks %s for the exact approval, now and later', async (_name, how) => {
  Object.assign(chain, { hasPermit: true }, how)
  expect(await payVault(payment)).toEqual(DONE)
  expect(asked()).toEqual(['permit 50', 'approve 50', 'deposit 50 with 0'])
  chain.asked = []
  chain.allowance = 0n
  savePayment(account, { orderId: payment.orderId, hash: undefined, sent: undefined, approvalHash: undefined })
  await payVault(payment)
  expect(asked()).toEqual(['approve 50', 'deposit 50 with 0'])
})

test('asks for no approval when the vault is paused', async () => {
  chain.hasPermit = true
  chain.objections.depositWithPermit = new Error('execution reverted: EnforcedPause()')
  expect(await failure()).toMatchObject({ reason: 'reverted', revert: 'EnforcedPause' })
  expect(asked()).toEqual(['permit 50'])
})

test('signs a new permit when the earlier one was not sent', async () => {
  Object.assign(chain, { hasPermit: true, refusal: REFUSED })
  expect(await reason()).toBe('rejected')
  expect(record()?.permitted).toBeUndefined()
  chain.refusal = undefined
  await payVault(payment)
  expect(asked()).toEqual(['permit 50', 'depositWithPermit 50 with 0', 'permit 50', 'depositWithPermit 50 with 0'])
})

test('asks for no approval that the wallet cannot pay for', async () => {
  chain.objections.approve = new Error('insufficient funds for gas * price + value')
  expect(await reason()).toBe('gas')
  expect(chain.asked).toEqual([])
})
