import { beforeEach, expect, test, vi } from 'vitest'
import { depositCall } from './deposit-call.ts'
import { payVault, resumeApproval, type VaultPayment } from './pay-vault.ts'
import { readPayment, savePayment } from './payment-record.ts'
import { FakeCore } from './testing/fake-core.ts'

const current = vi.hoisted(() => ({ core: undefined as unknown }))

vi.mock('../api/query-client.ts', () => ({
  refreshPersonalData: async () => {},
  queryClient: { invalidateQueries: async () => {} },
}))
vi.mock('./wallet.ts', () => ({ wallet: async () => current.core }))

const account = '0xAAAA000000000000000000000000000000000001'
const REFUSED = Object.assign(new Error('no'), { code: 4001 })
const UNSUPPORTED = Object.assign(new Error('no such method'), { code: -32601 })
const APPROVE = '0x095ea7b3'
const DEPOSIT = '0x26b3293f'
const DEPOSIT_WITH_PERMIT = '0xe5cc32c6'

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
  chain = new FakeCore()
  current.core = chain.core
  orders += 1
  payment = { account, orderId: `0x0${orders}`, token: '0xe7', vault: '0x5f', units: 50n }
})

const record = () => readPayment(account, payment.orderId)
const failure = async () => (await payVault(payment)).failure
const reason = async () => (await failure())?.reason
/** What the wallet was asked, without what was only waited for. */
const asked = () => chain.asked.filter((each) => !each.startsWith('follow'))

test('a token is approved exactly, paid, and waited for, with its hashes kept', async () => {
  expect(await payVault(payment)).toEqual({ stage: 'mined', isRunning: false })
  expect(chain.asked).toEqual(['approve 50', 'follow 0xa50', 'pay 50 with 0', 'follow 0xpaid as number 3'])
  expect(record()).toMatchObject({ approvalHash: '0xa50', approved: true, asked: true, hash: '0xpaid' })
})

test('an allowance that is enough is not asked for again; a smaller one goes to zero first', async () => {
  chain.allowance = 50n
  await payVault(payment)
  expect(asked()).toEqual(['pay 50 with 0'])
  chain.asked = []
  chain.allowance = 49n
  payment = { ...payment, orderId: '0xff' }
  await payVault(payment)
  expect(asked()).toEqual(['approve 0', 'approve 50', 'pay 50 with 0'])
})

test('the native coin is paid without an approval, and must leave enough for the fee', async () => {
  payment = { ...payment, token: null, units: 9n }
  expect(await reason()).toBeUndefined()
  expect(asked()).toEqual(['pay 9 with 9'])
  payment = { ...payment, orderId: '0xfe', units: 10n }
  expect(await reason()).toBe('gas')
  chain.fee = 2n
  payment = { ...payment, orderId: '0xfd', units: 9n }
  expect(await reason()).toBe('gas')
  payment = { ...payment, units: 11n }
  expect(await reason()).toBe('token_not_enough')
  expect(asked()).toEqual(['pay 9 with 9'])
})

test('the wallet is not asked for what it does not hold, nor for another call than the one confirmed', async () => {
  chain.held = 49n
  expect(await reason()).toBe('token_not_enough')
  const { to, data } = depositCall({ ...payment, units: 51n })
  payment = { ...payment, served: { to, calldata: data, value: '0' } }
  expect(await reason()).toBe('call_differs')
  expect(chain.asked).toEqual([])
})

test('what the chain would throw out is not asked of the wallet, and the vault’s own word for it is kept', async () => {
  chain.allowance = 50n
  chain.objections[DEPOSIT] = new Error('execution reverted: EnforcedPause()')
  expect(await failure()).toMatchObject({ reason: 'reverted', revert: 'EnforcedPause' })
  expect(chain.asked).toEqual([])
})

test('a payment that was sent before is followed by its hash and number, never sent twice', async () => {
  savePayment(account, { orderId: payment.orderId, hash: '0xbefore', sent: { hash: '0xbefore', nonce: 7 } })
  expect(await payVault(payment)).toEqual({ stage: 'mined', isRunning: false })
  expect(chain.asked).toEqual(['follow 0xbefore as number 7'])
})

test('a payment that the wallet sped up is the same payment under its new hash', async () => {
  chain.allowance = 50n
  chain.spedUp['0xpaid'] = '0xfaster'
  expect(await payVault(payment)).toEqual({ stage: 'mined', isRunning: false })
  expect(record()).toMatchObject({ hash: '0xfaster', sent: { hash: '0xfaster', nonce: 3 } })
})

test.each(['reverted', 'out_of_gas', 'cancelled', 'replaced', 'dropped'] as const)(
  'a payment that was %s is told of, and can be paid anew',
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

test('an approval that was cancelled is told of, and asked for anew', async () => {
  chain.outcomes['0xa50'] = { outcome: 'cancelled' }
  expect(await failure()).toMatchObject({ reason: 'approval_failed', lost: 'cancelled' })
  expect(record()?.approvalHash).toBeUndefined()
  chain.outcomes = {}
  chain.allowance = 0n
  expect(await reason()).toBeUndefined()
  expect(asked()).toEqual(['approve 50', 'approve 50', 'pay 50 with 0'])
})

test('an approval that was sent before a reload is followed, not asked for again', async () => {
  savePayment(account, { orderId: payment.orderId, approvalHash: '0xb', approvalSent: { hash: '0xb', nonce: 4 } })
  chain.core.readAllowance = async () => (chain.asked.includes('follow 0xb as number 4') ? 50n : 0n)
  expect(await reason()).toBeUndefined()
  expect(asked()).toEqual(['pay 50 with 0'])
})

test('an approval from before a reload is waited for to its block and no further: the wallet is asked for nothing', async () => {
  const sentBefore = { orderId: payment.orderId, approvalHash: '0xb', approvalSent: { hash: '0xb', nonce: 4 } }
  savePayment(account, sentBefore)
  chain.allowance = 50n
  expect(await resumeApproval(payment)).toBeUndefined()
  expect(chain.asked).toEqual(['follow 0xb as number 4'])
  expect(record()).toMatchObject({ approved: true, approvalHash: '0xb' })
  await payVault(payment)
  expect(asked()).toEqual(['pay 50 with 0'])
})

test('an approval from before a reload that came to nothing is told of, and so is one for less', async () => {
  savePayment(account, { orderId: payment.orderId, approvalHash: '0xb' })
  chain.outcomes['0xb'] = { outcome: 'cancelled' }
  expect(await resumeApproval(payment)).toMatchObject({
    isRunning: false,
    failure: { reason: 'approval_failed', lost: 'cancelled' },
  })
  expect(record()?.approvalHash).toBeUndefined()
  payment = { ...payment, orderId: '0xfc' }
  savePayment(account, { orderId: payment.orderId, approvalHash: '0xc' })
  chain.allowance = 49n
  const short = (await resumeApproval(payment))?.failure
  expect([short?.reason, short?.lost]).toEqual(['approval_failed', undefined])
  expect(record()).toEqual({ orderId: '0xfc' })
  expect(asked()).toEqual([])
})

test('a refusal is certain; without an answer it stays known that the wallet was asked', async () => {
  chain.allowance = 50n
  chain.refusal = REFUSED
  expect(await reason()).toBe('refused')
  expect(record()?.asked).toBeUndefined()
  chain.refusal = new Error('The Provider is disconnected')
  expect(await reason()).toBe('other')
  expect(record()?.asked).toBe(true)
})

test('a token with a permit is paid in one transaction, with no approval', async () => {
  chain.hasPermit = true
  expect(await payVault(payment)).toEqual({ stage: 'mined', isRunning: false })
  expect(asked()).toEqual(['permit 50', 'pay by permit 50 with 0'])
  expect(record()).toMatchObject({ permitted: true, hash: '0xpaid' })
  expect(record()?.approvalHash).toBeUndefined()
})

test('what the vault may take already needs no permit either', async () => {
  Object.assign(chain, { hasPermit: true, allowance: 50n })
  await payVault(payment)
  expect(asked()).toEqual(['pay 50 with 0'])
})

test('a permit that is refused is a refusal: nothing else is asked for', async () => {
  Object.assign(chain, { hasPermit: true, permitAnswer: REFUSED })
  expect(await failure()).toMatchObject({ reason: 'refused' })
  expect((await payVault(payment)).stage).toBe('signing')
  expect(asked()).toEqual(['permit 50', 'permit 50'])
})

test.each([
  ['a wallet that cannot sign one', { permitAnswer: UNSUPPORTED }],
  ['an account whose signature is not its key’s', { permitAnswer: undefined }],
  ['a token that does not take it', { objections: { [DEPOSIT_WITH_PERMIT]: new Error('execution reverted') } }],
])('%s is asked for the exact approval, by itself and from then on', async (_name, how) => {
  Object.assign(chain, { hasPermit: true }, how)
  expect(await payVault(payment)).toEqual({ stage: 'mined', isRunning: false })
  expect(asked()).toEqual(['permit 50', 'approve 50', 'pay 50 with 0'])
  chain.asked = []
  chain.allowance = 0n
  savePayment(account, { orderId: payment.orderId, hash: undefined, sent: undefined, approvalHash: undefined })
  await payVault(payment)
  expect(asked()).toEqual(['approve 50', 'pay 50 with 0'])
})

test('a paused vault is no reason to ask for an approval instead', async () => {
  chain.hasPermit = true
  chain.objections[DEPOSIT_WITH_PERMIT] = new Error('execution reverted: EnforcedPause()')
  expect(await failure()).toMatchObject({ reason: 'reverted', revert: 'EnforcedPause' })
  expect(asked()).toEqual(['permit 50'])
})

test('a permit that was signed and not sent is not used again', async () => {
  Object.assign(chain, { hasPermit: true, refusal: REFUSED })
  expect(await reason()).toBe('refused')
  expect(record()?.permitted).toBeUndefined()
  chain.refusal = undefined
  await payVault(payment)
  expect(asked()).toEqual(['permit 50', 'pay by permit 50 with 0', 'permit 50', 'pay by permit 50 with 0'])
})

test('an approval is not asked of a wallet that cannot pay for it', async () => {
  chain.objections[APPROVE] = new Error('insufficient funds for gas * price + value')
  expect(await reason()).toBe('gas')
  expect(chain.asked).toEqual([])
})
