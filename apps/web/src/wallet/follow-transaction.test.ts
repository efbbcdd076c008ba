import { createPublicClient, custom, numberToHex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { callDigest, followTransaction } from './follow-transaction.ts'
import type { SentTransaction } from './sent-transaction.ts'

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const VAULT = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const hashOf = (digit: string) => `0x${digit.repeat(64)}`
const DEPOSIT = { to: VAULT, data: '0x26b3293f', value: 5n }

interface Fake {
  hash: string
  from?: string
  to?: string
  input?: string
  value?: bigint
  nonce?: number
  /** The block that includes the transaction; absent while it is pending. */
  block?: number
  failed?: boolean
  gasUsed?: bigint
}

/** A chain as far as a follower asks for it; `onPoll` moves it on. */
const chain = {
  head: 10,
  known: [] as Fake[],
  asked: 0,
  isDown: false,
  forgets: false,
  hidesReceipts: false,
  onPoll: () => {},
}

beforeEach(() => {
  Object.assign(chain, {
    head: 10,
    known: [],
    asked: 0,
    isDown: false,
    forgets: false,
    hidesReceipts: false,
    onPoll: () => {},
  })
})

const client = createPublicClient({
  transport: custom(
    { request: async ({ method, params = [] }: { method: string; params?: unknown[] }) => respond(method, params) },
    { retryCount: 0 },
  ),
})

function respond(method: string, params: unknown[]): unknown {
  if (method === 'eth_getTransactionReceipt') {
    chain.asked += 1
    chain.onPoll()
  }
  if (chain.isDown) throw new Error('no answer')
  const mined = chain.known.filter(({ block }) => block !== undefined)
  switch (method) {
    case 'eth_getTransactionReceipt': {
      const found = chain.hidesReceipts ? undefined : mined.find(({ hash }) => hash === params[0])
      return found ? receipt(found) : null
    }
    case 'eth_getTransactionByHash': {
      const found = chain.known.find(({ hash }) => hash === params[0])
      return found ? transaction(found) : null
    }
    case 'eth_getTransactionCount': {
      const [address, block] = params as [string, string]
      if (block !== 'latest' && chain.forgets) throw new Error('missing trie node')
      const at = block === 'latest' ? chain.head : Number(block)
      return numberToHex(
        mined.filter((each) => fromOf(each) === address.toLowerCase() && (each.block ?? 0) <= at).length,
      )
    }
    case 'eth_blockNumber':
      return numberToHex(chain.head)
    case 'eth_getBlockByNumber':
      return {
        number: params[0],
        transactions: mined.filter(({ block }) => block === Number(params[0])).map(transaction),
      }
    default:
      throw new Error(`${method} is not asked for`)
  }
}

const fromOf = ({ from = ALICE }: Fake) => from

function transaction({
  hash,
  to = VAULT,
  input = DEPOSIT.data,
  value = DEPOSIT.value,
  nonce = 0,
  block,
  ...rest
}: Fake) {
  return {
    hash,
    from: fromOf({ hash, ...rest }),
    to,
    input,
    value: numberToHex(value),
    nonce: numberToHex(nonce),
    gas: numberToHex(64_000n),
    blockNumber: block === undefined ? null : numberToHex(block),
    type: '0x2',
  }
}

function receipt({ hash, failed = false, gasUsed = 40_000n }: Fake) {
  return { transactionHash: hash, status: failed ? '0x0' : '0x1', gasUsed: numberToHex(gasUsed), logs: [] }
}

const A = hashOf('a')
const B = hashOf('b')
const sent: SentTransaction = { hash: A, from: ALICE, since: '10', call: callDigest(DEPOSIT) }

function follow(transactionSent: SentTransaction = sent, unknownAfterMs = 1_000) {
  const changes: SentTransaction[] = []
  const outcome = followTransaction(client, transactionSent, {
    pollMs: 1,
    unknownAfterMs,
    onChange: (known) => changes.push(known),
  })
  return { outcome, changes }
}

/** Changes the chain before its nth read. */
function then(...steps: (() => void)[]) {
  chain.onPoll = () => steps[chain.asked - 2]?.()
}

test('a transaction is followed until a block includes it', async () => {
  const mine: Fake = { hash: A }
  chain.known = [mine]
  then(() => Object.assign(mine, { block: 11 }))
  const { outcome, changes } = follow()
  expect(await outcome).toEqual({ outcome: 'succeeded', hash: A })
  expect(changes).toEqual([{ ...sent, from: ALICE, nonce: 0 }])
})

test.each([
  ['with gas left: the chain threw it out', 40_000n, 'reverted'],
  ['with all of its gas used: it ran out', 64_000n, 'out_of_gas'],
  ['with no more left than a call within may not use', 63_100n, 'out_of_gas'],
])('a transaction that failed in its block %s', async (_name, gasUsed, outcome) => {
  chain.known = [{ hash: A, block: 11, failed: true, gasUsed }]
  expect(await follow().outcome).toEqual({ outcome, hash: A })
})

test('a sped-up transaction is followed under its new hash', async () => {
  chain.known = [{ hash: A }]
  then(() => {
    chain.known = [{ hash: B, block: 12 }]
    chain.head = 13
  })
  const { outcome, changes } = follow()
  expect(await outcome).toEqual({ outcome: 'succeeded', hash: B })
  expect(changes.map(({ hash }) => hash)).toEqual([A, B])
})

test('a transaction sped up while the page was closed is found', async () => {
  chain.head = 500
  chain.known = [
    { hash: hashOf('1'), from: VAULT, block: 300 },
    { hash: B, block: 317, failed: true },
    { hash: hashOf('2'), nonce: 1, block: 400 },
  ]
  const { outcome, changes } = follow({ ...sent, nonce: 0 })
  expect(await outcome).toEqual({ outcome: 'reverted', hash: B })
  expect(changes.map(({ hash }) => hash)).toEqual([B])
})

test.each([
  ['an empty one to the account itself', { to: ALICE, input: '0x', value: 0n }, 'cancelled'],
  ['another call', { input: '0x12345678' }, 'replaced'],
  ['the same call with another amount', { value: 6n }, 'replaced'],
])('a transaction in whose place the wallet sent %s did not happen', async (_name, other, outcome) => {
  chain.head = 12
  chain.known = [{ hash: B, block: 12, ...other }]
  expect(await follow({ ...sent, nonce: 0 }).outcome).toEqual({ outcome, hash: A, by: B })
})

test('a transaction with an unknown replacement is dropped', async () => {
  chain.head = 5_000
  chain.forgets = true
  chain.known = [{ hash: B, block: 12 }]
  expect(await follow({ ...sent, nonce: 0 }).outcome).toEqual({ outcome: 'dropped', hash: A })
})

test.each([undefined, 7])('an unknown transaction is dropped after its time only (number %s)', async (nonce) => {
  expect(await follow({ ...sent, nonce }, 5).outcome).toEqual({ outcome: 'dropped', hash: A })
  expect(chain.asked).toBe(6)
})

test('a transaction in a block without a receipt is still followed', async () => {
  chain.head = 12
  chain.known = [{ hash: A, block: 12 }]
  chain.hidesReceipts = true
  chain.onPoll = () => {
    if (chain.asked > 5) chain.hidesReceipts = false
  }
  expect(await follow({ ...sent, nonce: 0 }).outcome).toEqual({ outcome: 'succeeded', hash: A })
})

test('a silent node is asked again', async () => {
  chain.known = [{ hash: A, block: 11 }]
  chain.isDown = true
  then(
    () => {},
    () => {
      chain.isDown = false
    },
  )
  expect(await follow().outcome).toEqual({ outcome: 'succeeded', hash: A })
})
