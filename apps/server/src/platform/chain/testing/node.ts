import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  numberToHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import type { ChainBlock, ChainMovements, Custody } from '../chain.ts'
import type { SimulatedChain } from './simulated-chain.ts'

/** Custody addresses for tests without a real chain. */
export const TEST_CUSTODY: Custody = {
  vault: `0x${'7'.repeat(40)}`,
  vaultBlock: 0n,
  operator: `0x${'0'.repeat(39)}f`,
  tokens: [
    { asset: 'USDT', address: `0x${'1'.repeat(40)}`, decimals: 18 },
    { asset: 'ETH', address: `0x${'2'.repeat(40)}`, decimals: 18 },
  ],
}

export interface NodeQuestion {
  readonly method: string
  readonly params: readonly unknown[]
}

/** Thrown by a lie: the node responds with this JSON-RPC error. */
export class NodeRefusal extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Thrown by a lie: the node responds with this HTTP status alone. */
export class HttpRefusal extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, headers: Readonly<Record<string, string>> = {}) {
    super(`HTTP ${status}`)
    this.status = status
    this.headers = headers
  }
}

/** A node on this machine that serves a simulated chain, or lies about it. */
export interface TestNode {
  readonly rpcUrl: string
  /** Turns an honest response into the one that is sent. */
  lie: ((question: NodeQuestion, honest: unknown) => unknown) | undefined
  /** The longest batch that the node accepts. */
  maxBatch: number
  /** All requests, in order. */
  readonly asked: NodeQuestion[]
  /** The number of HTTP requests. */
  readonly requestCount: number
  stop(): Promise<void>
}

/** @param port 0 takes a free one. */
export async function startTestNode(
  chain: SimulatedChain,
  custody: Custody = TEST_CUSTODY,
  port = 0,
): Promise<TestNode> {
  let requestCount = 0
  const asked: NodeQuestion[] = []
  const honest = honestNode(chain, custody)

  async function respond({ id, method, params }: NodeQuestion & { id: number }): Promise<unknown> {
    asked.push({ method, params })
    try {
      const honestResult = await honest({ method, params })
      const result = node.lie ? await node.lie({ method, params }, honestResult) : honestResult
      return { jsonrpc: '2.0', id, result }
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message, data: error.data } }
    }
  }

  const server = createServer(async (request, response) => {
    requestCount++
    const questions = JSON.parse(await textOf(request))
    try {
      const isBatch = Array.isArray(questions)
      const tooMany = isBatch && questions.length > node.maxBatch
      const refused = {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32600, message: 'Batch of that many is not allowed' },
      }
      // Reversed, because JSON-RPC does not promise an order.
      const replies = isBatch ? (await Promise.all(questions.map(respond))).reverse() : await respond(questions)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(tooMany ? refused : replies))
    } catch (error) {
      const refusal = error instanceof HttpRefusal ? error : new HttpRefusal(500)
      response.writeHead(refusal.status, refusal.headers).end('no')
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const node: TestNode = {
    rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/s3cret`,
    lie: undefined,
    maxBatch: 1_000,
    asked,
    get requestCount() {
      return requestCount
    },
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return node
}

/** Responds to each request from the simulated chain. */
function honestNode(chain: SimulatedChain, custody: Custody): (question: NodeQuestion) => Promise<unknown> {
  const numberOf = async (tag: unknown) => (tag === 'latest' ? (await chain.head()).number : BigInt(tag as string))
  return async ({ method, params }) => {
    switch (method) {
      case 'eth_chainId':
        return numberToHex(chain.id)
      case 'eth_getBlockByNumber':
        return blockResponse(await chain.block(await numberOf(params[0])))
      case 'eth_getLogs': {
        const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
        return logsOf(custody, await chain.movements({ from: BigInt(fromBlock), to: BigInt(toBlock) }))
      }
      case 'eth_getTransactionReceipt':
        return receiptResponse(chain, custody, params[0] as string)
      case 'eth_getBalance':
        return numberToHex(await chain.vaultHolding('BNB', await numberOf(params[1])))
      case 'eth_call': {
        const { to, data } = params[0] as { to: string; data: Hex }
        const at = await numberOf(params[1])
        if (to.toLowerCase() === custody.vault.toLowerCase()) return vaultResponse(chain, data, at)
        const token = custody.tokens.find(({ address }) => address.toLowerCase() === to.toLowerCase())
        return numberToHex(await chain.vaultHolding(token?.asset ?? 'BNB', at), { size: 32 })
      }
      default:
        throw new NodeRefusal(-32601, `the method ${method} does not exist`)
    }
  }
}

/** The vault's logs of these movements, in the order of the chain. */
function logsOf(custody: Custody, { deposits, withdrawals }: ChainMovements) {
  const addressOf = (asset: string) => custody.tokens.find((token) => token.asset === asset)?.address ?? zeroAddress
  const placed = [
    ...deposits.map((place) => {
      const { account, asset, orderId } = place
      const args = { account: account as Hex, asset: addressOf(asset), orderId: (orderId ?? zeroHash) as Hex }
      return { place, topics: encodeEventTopics({ abi: clearwellVaultAbi, eventName: 'Deposited', args }) }
    }),
    ...withdrawals.map((place) => {
      const { account, asset, nonce } = place
      const args = { account: account as Hex, asset: addressOf(asset), nonce }
      return { place, topics: encodeEventTopics({ abi: clearwellVaultAbi, eventName: 'Withdrawn', args }) }
    }),
  ]
  return placed
    .map(({ place, topics }) => ({
      address: custody.vault,
      topics,
      data: encodeAbiParameters([{ type: 'uint256' }], [place.units]),
      blockNumber: numberToHex(place.blockNumber),
      blockHash: place.blockHash,
      transactionHash: place.txHash,
      transactionIndex: '0x0',
      logIndex: numberToHex(place.logIndex),
      removed: false,
    }))
    .toSorted((a, b) => Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex) - Number(b.logIndex))
}

function blockResponse(block: ChainBlock | undefined) {
  if (!block) return null
  return { number: numberToHex(block.number), hash: block.hash, timestamp: numberToHex(block.time.getTime() / 1_000) }
}

async function receiptResponse(chain: SimulatedChain, custody: Custody, txHash: string) {
  const transaction = await chain.movementsOf(txHash)
  // The simulated chain does not record the block of a failed transaction.
  if (transaction.status !== 'mined') return null
  const { block } = transaction
  const place = { blockNumber: numberToHex(block.number), blockHash: block.hash }
  return { transactionHash: txHash, ...place, status: '0x1', logs: logsOf(custody, transaction) }
}

/** The reply to a call of the vault. */
async function vaultResponse(chain: SimulatedChain, data: Hex, at: bigint): Promise<Hex> {
  const { functionName, args } = decodeFunctionData({ abi: [...clearwellVaultAbi, ...erc20Abi], data })
  switch (functionName) {
    case 'isNonceUsed': {
      const result = await chain.isNonceUsed(args[0], at)
      return encodeFunctionResult({ abi: clearwellVaultAbi, functionName, result })
    }
    case 'paused': {
      const { isPaused } = await chain.vaultState()
      return encodeFunctionResult({ abi: clearwellVaultAbi, functionName, result: isPaused })
    }
    case 'signer': {
      const { signer } = await chain.vaultState()
      return encodeFunctionResult({ abi: clearwellVaultAbi, functionName, result: signer as Hex })
    }
    default:
      throw new NodeRefusal(-32601, `the test node does not know ${functionName}`)
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
