import type { AssetId } from '@clearwell/money/asset'
import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { createPublicClient, erc20Abi, type Hex, numberToHex, type PublicClient, zeroAddress } from 'viem'
import type { Chain, ChainBlock, Custody, TransactionMovements } from './chain.ts'
import { ChainBehind, ChainFault } from './chain-fault.ts'
import { checkLogs, fieldsOf, hexOf, type NodeLog, quantityOf } from './check-logs.ts'
import { type BlockRange, createRangeReader } from './log-ranges.ts'
import { nodeTransport } from './node-transport.ts'
import { createVaultLogs } from './vault-logs.ts'

/** Validators may set a block's time a little ahead, and this server's clock may be late. */
const MAX_AHEAD_MS = 120_000
/** How often what changes between two questions is asked for again before it counts as a lie. */
const ATTEMPTS = 3

export interface RpcChainOptions {
  /** The clock that block times are held against; absent where the chain's time runs by itself, as a local one's. */
  readonly now?: () => Date
}

export function createRpcClient(rpcUrl: string): PublicClient {
  return createPublicClient({ transport: nodeTransport(rpcUrl), cacheTime: 0 })
}

/**
 * The chain through a node's JSON-RPC. The node is not believed where it contradicts itself, its chain or the clock.
 *
 * What one node alone cannot be caught at: leaving a payment out, or telling of another chain that it made up whole.
 * The bloom filters of blocks would not help: on a busy chain they match nearly everything, and whoever leaves a log out
 * can answer another filter too. Two nodes that are compared (`createComparedChain`) show both; with one, the
 * reconciliation does later: the vault then holds something else than the books say.
 *
 * @throws ChainFault for an answer that no honest node gives; nothing of it is handed on.
 * @throws ChainBehind when the node lacks a block that was spoken of.
 */
export function createRpcChain(
  client: PublicClient,
  id: number,
  custody: Custody,
  { now }: RpcChainOptions = {},
): Chain {
  const vaultLogs = createVaultLogs(custody)

  const ask = (method: string, params: readonly unknown[]) =>
    client.request({ method, params } as never) as Promise<unknown>

  /** Asks and checks that it is still the same chain that answers. Asked together, both answers are of one node. */
  async function asking<Answers extends readonly unknown[]>(
    ...questions: { [Index in keyof Answers]: Promise<Answers[Index]> }
  ): Promise<Answers> {
    const [chainId, ...answers] = await Promise.all([ask('eth_chainId', []), ...questions])
    const told = quantityOf(chainId, 'a chain id')
    if (told !== BigInt(id)) throw new ChainFault('wrong_chain', `the node answers for chain ${told}, not ${id}`)
    return answers as unknown as Answers
  }

  const askBlock = (number: bigint) => ask('eth_getBlockByNumber', [numberToHex(number), false])

  function blockOf(answer: unknown): ChainBlock {
    const block = fieldsOf(answer, 'a block')
    const number = quantityOf(block.number, 'the number of a block')
    const seconds = quantityOf(block.timestamp, 'the time of a block')
    // Beyond it no time can be written.
    if (seconds > 8_000_000_000_000n) throw new ChainFault('future_block', `block ${number} is of second ${seconds}`)
    const time = new Date(Number(seconds) * 1_000)
    if (now && time.getTime() > now().getTime() + MAX_AHEAD_MS) {
      throw new ChainFault('future_block', `block ${number} is of ${time.toISOString()}, which is yet to come`)
    }
    return { number, hash: hexOf(block.hash, 32, 'the hash of a block'), time }
  }

  function blockAt(number: bigint, answer: unknown): ChainBlock | undefined {
    if (answer === null) return undefined
    const block = blockOf(answer)
    if (block.number !== number) {
      throw new ChainFault('not_asked', `the node answered block ${block.number} for block ${number}`)
    }
    return block
  }

  /** The first of these blocks that the chain has another of. @throws ChainBehind when the node has none there. */
  async function replacedAmong(blocks: ReadonlyMap<bigint, string>): Promise<bigint | undefined> {
    const numbers = [...blocks.keys()]
    const answers = await Promise.all(numbers.map(askBlock))
    for (const [index, number] of numbers.entries()) {
      const block = blockAt(number, answers[index])
      if (!block) throw behind(number)
      if (block.hash !== blocks.get(number)) return number
    }
    return undefined
  }

  /** Asks again while a reorganisation gets in between two answers. */
  async function untilCanonical<Answer>(
    read: () => Promise<{ answer: Answer; blocks: ReadonlyMap<bigint, string> }>,
  ): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const { answer, blocks } = await read()
      const replaced = await replacedAmong(blocks)
      if (replaced === undefined) return answer
      if (attempt === ATTEMPTS) {
        throw new ChainFault('not_canonical', `the node tells of a block ${replaced} that its chain does not hold`)
      }
    }
  }

  const readRange = createRangeReader(({ from, to }: BlockRange) =>
    untilCanonical(async () => {
      const filter = { ...vaultLogs.filter, fromBlock: numberToHex(from), toBlock: numberToHex(to) }
      // The last block is asked for along with them: a node that lags behind answers that there are no logs.
      const [found, last] = await asking<[unknown, unknown]>(
        client.request({ method: 'eth_getLogs', params: [filter] }, { retryCount: 0 }),
        askBlock(to),
      )
      if (!blockAt(to, last)) throw behind(to)
      const logs = checkLogs(found, { from, to })
      return { answer: logs, blocks: new Map(logs.map((log) => [log.blockNumber, log.blockHash])) }
    }),
  )

  return {
    id,
    async head() {
      const [latest] = await asking<[unknown]>(ask('eth_getBlockByNumber', ['latest', false]))
      return blockOf(latest)
    },
    async block(number) {
      // On another chain it would be another block, and look like a reorganisation.
      const [answer] = await asking<[unknown]>(askBlock(number))
      return blockAt(number, answer)
    },
    async movements(range) {
      const logs = (await readRange(range)).flat()
      return vaultLogs.readAsked(logs)
    },
    movementsOf: (txHash) =>
      untilCanonical<TransactionMovements>(async () => {
        const [answer] = await asking<[unknown]>(ask('eth_getTransactionReceipt', [txHash]))
        if (answer === null) return { answer: { status: 'not_found' }, blocks: new Map() }
        const { blockNumber, blockHash, isSuccess, logs } = receiptOf(answer, txHash)
        const blocks = new Map([[blockNumber, blockHash]])
        const block = blockAt(blockNumber, await askBlock(blockNumber))
        if (!isSuccess || !block) return { answer: { status: 'failed' }, blocks }
        return { answer: { status: 'mined', block, ...vaultLogs.readAny(logs) }, blocks }
      }),
    async vaultHolding(asset: AssetId, at: bigint) {
      if (asset === 'BNB') {
        const held = await client.getBalance({ address: custody.vault, blockNumber: at })
        return vaultLogs.toLedger(held, zeroAddress)
      }
      const token = custody.tokens.find((each) => each.asset === asset)
      if (!token) return 0n
      const held = await client.readContract({
        address: token.address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [custody.vault],
        blockNumber: at,
      })
      return vaultLogs.toLedger(held, token.address.toLowerCase())
    },
    isNonceUsed: (nonce, at) =>
      client.readContract({
        address: custody.vault,
        abi: clearwellVaultAbi,
        functionName: 'isNonceUsed',
        args: [nonce],
        blockNumber: at,
      }),
    async vaultState() {
      const vault = { address: custody.vault, abi: clearwellVaultAbi }
      const [isPaused, signer] = await Promise.all([
        client.readContract({ ...vault, functionName: 'paused' }),
        client.readContract({ ...vault, functionName: 'signer' }),
      ])
      return { isPaused, signer: signer.toLowerCase() }
    },
  }
}

interface Receipt {
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly isSuccess: boolean
  readonly logs: readonly NodeLog[]
}

/** @throws ChainFault when it is not that transaction's, or has a log of elsewhere. */
function receiptOf(answer: unknown, txHash: string): Receipt {
  const receipt = fieldsOf(answer, 'a receipt')
  const told = hexOf(receipt.transactionHash, 32, 'the transaction hash of a receipt')
  if (told !== txHash.toLowerCase()) {
    throw new ChainFault('not_asked', `the node answered the receipt of ${told} for ${txHash}`)
  }
  const blockNumber = quantityOf(receipt.blockNumber, 'the block number of a receipt')
  const blockHash = hexOf(receipt.blockHash, 32, 'the block hash of a receipt') as Hex
  const status = quantityOf(receipt.status, 'the status of a receipt')
  const logs = checkLogs(receipt.logs, { from: blockNumber, to: blockNumber })
  if (logs.some((log) => log.txHash !== told || log.blockHash !== blockHash)) {
    throw new ChainFault('not_asked', `the receipt of ${txHash} has a log of another transaction or block`)
  }
  return { blockNumber, blockHash, isSuccess: status === 1n, logs }
}

function behind(number: bigint): ChainBehind {
  return new ChainBehind(`the node has no block ${number} yet`)
}
