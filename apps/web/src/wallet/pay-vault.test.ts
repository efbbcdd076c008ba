import { beforeEach, expect, test, vi } from 'vitest'
import { depositCall } from './deposit-call.ts'
import { payVault, type VaultPayment } from './pay-vault.ts'
import { readPayment, savePayment } from './payment-record.ts'

const chain = vi.hoisted(() => ({
  asked: [] as string[],
  native: 10n,
  held: 100n,
  allowance: 0n,
  reverts: [] as string[],
  refusal: undefined as Error | undefined,
}))

vi.mock('../api/query-client.ts', () => ({
  refreshPersonalData: async () => {},
  queryClient: { invalidateQueries: async () => {} },
}))
vi.mock('./wallet.ts', () => ({
  wallet: async () => ({
    switchToRequiredChain: async () => {},
    readBalance: async (token: string | null) => (token === null ? chain.native : chain.held),
    readAllowance: async () => chain.allowance,
    approveExact: async ({ units }: { units: bigint }) => {
      chain.asked.push(`approve ${units}`)
      chain.allowance = units
      return `0xa${units}`
    },
    sendTransaction: async ({ data, value }: { data: string; value: bigint }) => {
      chain.asked.push(`pay ${BigInt(`0x${data.slice(74, 138)}`)} with ${value}`)
      if (chain.refusal) throw chain.refusal
      return '0xpaid'
    },
    waitForTransaction: async (hash: string) => !chain.reverts.includes(hash),
  }),
}))

const account = '0xAAAA000000000000000000000000000000000001'
let orders = 0
let payment: VaultPayment

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('window', { addEventListener: () => {} })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  Object.assign(chain, { asked: [], native: 10n, held: 100n, allowance: 0n, reverts: [], refusal: undefined })
  orders += 1
  payment = { account, orderId: `0x0${orders}`, token: '0xe7', vault: '0x5f', units: 50n }
})

const record = () => readPayment(account, payment.orderId)
const failure = async () => (await payVault(payment)).failure?.reason

test('a token is approved exactly, paid, and waited for, with its hashes kept', async () => {
  expect(await payVault(payment)).toEqual({ stage: 'mined', isRunning: false })
  expect(chain.asked).toEqual(['approve 50', 'pay 50 with 0'])
  expect(record()).toMatchObject({ approvalHash: '0xa50', approved: true, asked: true, hash: '0xpaid' })
})

test('an allowance that is enough is not asked for again; a smaller one goes to zero first', async () => {
  chain.allowance = 50n
  await payVault(payment)
  expect(chain.asked).toEqual(['pay 50 with 0'])
  chain.asked = []
  chain.allowance = 49n
  payment = { ...payment, orderId: '0xff' }
  await payVault(payment)
  expect(chain.asked).toEqual(['approve 0', 'approve 50', 'pay 50 with 0'])
})

test('the native coin is paid without an approval, and must leave something for the fee', async () => {
  payment = { ...payment, token: null, units: 9n }
  expect(await failure()).toBeUndefined()
  expect(chain.asked).toEqual(['pay 9 with 9'])
  payment = { ...payment, orderId: '0xfe', units: 10n }
  expect(await failure()).toBe('gas')
  payment = { ...payment, units: 11n }
  expect(await failure()).toBe('token_not_enough')
})

test('the wallet is not asked for what it does not hold, nor for another call than the one confirmed', async () => {
  chain.held = 49n
  expect(await failure()).toBe('token_not_enough')
  const { to, data } = depositCall({ ...payment, units: 51n })
  payment = { ...payment, served: { to, calldata: data, value: '0' } }
  expect(await failure()).toBe('call_differs')
  expect(chain.asked).toEqual([])
})

test('a payment that was sent before is waited for by its hash, never sent twice', async () => {
  savePayment(account, { orderId: payment.orderId, hash: '0xbefore' })
  expect(await payVault(payment)).toEqual({ stage: 'mined', isRunning: false })
  expect(chain.asked).toEqual([])
})

test('a payment that its block threw out is told of, and can be paid anew', async () => {
  chain.reverts = ['0xpaid']
  expect(await failure()).toBe('payment_failed')
  expect(record()).toMatchObject({ failedHash: '0xpaid' })
  expect(record()?.hash).toBeUndefined()
  chain.reverts = []
  expect(await failure()).toBeUndefined()
  expect(record()?.failedHash).toBeUndefined()
})

test('a refusal is certain; without an answer it stays known that the wallet was asked', async () => {
  chain.refusal = Object.assign(new Error('no'), { code: 4001 })
  expect(await failure()).toBe('refused')
  expect(record()?.asked).toBeUndefined()
  chain.refusal = new Error('The Provider is disconnected')
  expect(await failure()).toBe('other')
  expect(record()?.asked).toBe(true)
})
