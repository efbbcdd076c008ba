import { createPublicClient, custom, hashMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { mainnet } from 'viem/chains'
import { beforeEach, describe, expect, test } from 'vitest'
import { TooManyRequests } from '../../platform/http/too-many-requests.ts'
import { createNodeBudget } from './node-budget.ts'
import { type FindSigned, findSignedOnChain } from './verify-signature.ts'

const TRUE = `0x${'1'.padStart(64, '0')}`
const FALSE = `0x${'0'.repeat(64)}`
const MESSAGES = ['one', 'two', 'three', 'four', 'five'].map((message) => ({ message }))
const JUNK = `0x${'ab'.repeat(64)}1b` as const
const WRAPPED = `0x${'00'.repeat(32)}${'6492'.repeat(16)}` as const

const wallet = privateKeyToAccount(generatePrivateKey())
let nowMs: number
let asked: string[]
/** The response to `eth_getCode`; an Error is thrown. */
let code: string | Error
/** The message whose signature the contract accepts. */
let accepted: string | undefined
let find: FindSigned

function open(limits: { perAddress: number; inAll: number }): void {
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    asked.push(method)
    if (code instanceof Error) throw code
    if (method === 'eth_getCode')
      return (params as string[])[0]?.toLowerCase() === wallet.address.toLowerCase() ? code : '0x60'
    const { data } = (params as [{ data: string }])[0]
    return accepted !== undefined && data.includes(hashMessage(accepted).slice(2)) ? TRUE : FALSE
  }
  const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) })
  find = findSignedOnChain({ client, budget: createNodeBudget({ ...limits, nowMs: () => nowMs }) })
}

beforeEach(() => {
  nowMs = 0
  asked = []
  code = '0x'
  accepted = undefined
  open({ perAddress: 1_000, inAll: 1_000 })
})

const claim = (signature: `0x${string}`, clientAddress = '203.0.113.1') =>
  find({ address: wallet.address, signature, messages: MESSAGES, clientAddress })

describe('a signature of an ordinary account', () => {
  test('an ordinary signature is matched to its message without the node', async () => {
    expect(await claim(await wallet.signMessage({ message: 'five' }))).toEqual({ message: 'five' })
    expect(asked).toEqual([])
  })

  test.each([
    ['of another message', () => wallet.signMessage({ message: 'six' })],
    ['of another key', () => privateKeyToAccount(generatePrivateKey()).signMessage({ message: 'one' })],
    ['of junk', async () => JUNK],
    ['of one byte', async () => '0x00' as const],
  ])('a signature %s reads the code once and sends no call', async (_name, signature) => {
    expect(await claim(await signature())).toBeUndefined()
    expect(asked).toEqual(['eth_getCode'])
  })

  test('a signature without an open message sends no call', async () => {
    for (const signature of [WRAPPED, JUNK])
      expect(
        await find({ address: wallet.address, signature, messages: [], clientAddress: '203.0.113.1' }),
      ).toBeUndefined()
    expect(asked).toEqual([])
  })
})

describe('a signature of a contract', () => {
  test("a contract's signature is verified by its code, message by message", async () => {
    code = '0x60'
    accepted = 'two'
    expect(await claim(JUNK)).toEqual({ message: 'two' })
    expect(asked).toEqual(['eth_getCode', 'eth_call', 'eth_call'])
  })

  test('a signature that wraps its deployment (ERC-6492) is verified without code', async () => {
    accepted = 'one'
    expect(await claim(WRAPPED)).toEqual({ message: 'one' })
    expect(asked).toEqual(['eth_call'])
  })

  test('a signature that cannot be judged is wrong', async () => {
    const verifyHash = async () => Promise.reject(new Error('unreadable'))
    const client = createPublicClient({
      chain: { ...mainnet, verifyHash },
      transport: custom({ request: async () => '0x60' }),
    })
    find = findSignedOnChain({ client, budget: createNodeBudget({ perAddress: 9, inAll: 9, nowMs: () => nowMs }) })
    expect(await claim(JUNK)).toBeUndefined()
  })

  test("a contract's signature is not judged while the node is unreachable", async () => {
    code = new Error('no connection')
    await expect(claim(JUNK)).rejects.toMatchObject({ name: 'NotReady', part: 'chain', cause: expect.any(Error) })
  })
})

describe('the budget for requests to the node', () => {
  const refusedWith = (reason: string) => expect.objectContaining({ refusal: 'too_many_requests', data: { reason } })
  const failing = async (clientAddress: string) => {
    const error = await claim(JUNK, clientAddress).catch((reason: unknown) => reason)
    return error instanceof TooManyRequests ? error : undefined
  }

  test('the budget for the node is per client and refills', async () => {
    open({ perAddress: 3, inAll: 1_000 })
    for (let login = 0; login < 3; login++) expect(await failing('203.0.113.1')).toBeUndefined()
    const refusal = await failing('203.0.113.1')
    expect(refusal).toEqual(refusedWith('node_budget_of_address'))
    expect(refusal?.retryAfterS).toBe(20)
    expect(await failing('203.0.113.2')).toBeUndefined()
    nowMs += 20_000
    expect(await failing('203.0.113.1')).toBeUndefined()
    expect(asked).toHaveLength(5)
  })

  test('the budget for the node has a total for all clients', async () => {
    open({ perAddress: 3, inAll: 5 })
    for (let client = 0; client < 5; client++) expect(await failing(`203.0.113.${client}`)).toBeUndefined()
    expect(await failing('203.0.113.9')).toEqual(refusedWith('node_budget'))
    expect(asked).toHaveLength(5)
  })

  test('an ordinary account never spends the budget for the node', async () => {
    open({ perAddress: 1, inAll: 1 })
    await failing('203.0.113.1')
    expect(await claim(await wallet.signMessage({ message: 'one' }))).toEqual({ message: 'one' })
  })
})
