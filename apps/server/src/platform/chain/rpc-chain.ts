import { createPublicClient, type Hex, numberToHex, type PublicClient } from 'viem'
import type { Chain, Custody, TransactionMovements } from './chain.ts'
import { ChainFault } from './chain-fault.ts'
import { checkLogs, fieldsOf, hexOf, type NodeLog, quantityOf } from './check-logs.ts'
import { createExitActs } from './exit-vault-acts.ts'
import { type BlockRange, createRangeReader } from './log-ranges.ts'
import { behind, createNodeReads, type NodeReads } from './node-reads.ts'
import { type NodeOptions, nodeTransport } from './node-transport.ts'
import { createVaultLogs, type VaultLogs } from './vault-logs.ts'
import { createVaultReads, type VaultReadOptions } from './vault-reads.ts'

export interface RpcChainOptions extends VaultReadOptions {
  /** The clock that block times are compared with; absent for a local chain, whose time is its own. */
  readonly now?: () => Date
}

export function createRpcClient(rpcUrl: string, options: NodeOptions = {}): PublicClient {
  return createPublicClient({ transport: nodeTransport(rpcUrl, options), cacheTime: 0 })
}

/**
 * Reads the chain through a node's JSON-RPC. A response that contradicts another response, the chain or the clock is
 * rejected.
 *
 * A single node can omit a payment, or invent a whole chain, without being detected here. The bloom filters of blocks would
 * not help: on a busy chain they match nearly everything, and a node that omits a log can forge a filter too. Comparing a
 * second node (`createComparedChain`) detects both. With one node, the reconciliation detects it later, when the vault's
 * holding differs from the books.
 *
 * @throws ChainFault for a response that no honest node gives; no part of it is used.
 * @throws ChainBehind when the node lacks a block that another response named.
 */
export function createRpcChain(
  client: PublicClient,
  id: number,
  custody: Custody,
  { now, signer }: RpcChainOptions = {},
): Chain {
  const node = createNodeReads(client, id, now)
  const vaultLogs = createVaultLogs(custody)
  return {
    id,
    async head() {
      const [latest] = await node.asking<[unknown]>(node.ask('eth_getBlockByNumber', ['latest', false]))
      return node.blockOf(latest)
    },
    async block(number) {
      // A block of another chain would look like a reorg.
      const [response] = await node.asking<[unknown]>(node.askBlock(number))
      return node.blockAt(number, response)
    },
    ...movementReads(client, node, vaultLogs),
    ...createVaultReads(client, custody, vaultLogs, { signer }),
    ...(custody.kind === 'exits'
      ? { exitActs: createExitActs(client, node, { vaults: vaultsOf(custody), toLedger: vaultLogs.toLedger }) }
      : {}),
  }
}

const vaultsOf = ({ vault, replacedVaults = [] }: Custody) => [vault, ...replacedVaults]

/** Reads the payments to the vault and by it from logs. */
function movementReads(
  client: PublicClient,
  node: NodeReads,
  vaultLogs: VaultLogs,
): Pick<Chain, 'movements' | 'movementsOf'> {
  const readRange = createRangeReader(({ from, to }: BlockRange) =>
    node.untilCanonical(async () => {
      const filter = { ...vaultLogs.filter, fromBlock: numberToHex(from), toBlock: numberToHex(to) }
      // The last block is requested in the same batch: a lagging node responds that there are no logs.
      const [found, last] = await node.asking<[unknown, unknown]>(
        client.request({ method: 'eth_getLogs', params: [filter] }, { retryCount: 0 }),
        node.askBlock(to),
      )
      if (!node.blockAt(to, last)) throw behind(to)
      const logs = checkLogs(found, { from, to })
      return { response: logs, blocks: new Map(logs.map((log) => [log.blockNumber, log.blockHash])) }
    }),
  )
  return {
    async movements(range) {
      const logs = (await readRange(range)).flat()
      return vaultLogs.readFiltered(logs)
    },
    movementsOf: (txHash) =>
      node.untilCanonical<TransactionMovements>(async () => {
        const [response] = await node.asking<[unknown]>(node.ask('eth_getTransactionReceipt', [txHash]))
        if (response === null) return { response: { status: 'not_found' }, blocks: new Map() }
        const { blockNumber, blockHash, isSuccess, logs } = receiptOf(response, txHash)
        const blocks = new Map([[blockNumber, blockHash]])
        const block = node.blockAt(blockNumber, await node.askBlock(blockNumber))
        if (!isSuccess || !block) return { response: { status: 'failed' }, blocks }
        return { response: { status: 'mined', block, ...vaultLogs.readAny(logs) }, blocks }
      }),
  }
}

interface Receipt {
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly isSuccess: boolean
  readonly logs: readonly NodeLog[]
}

/** @throws ChainFault when the receipt is for another transaction, or contains another transaction's log. */
function receiptOf(response: unknown, txHash: string): Receipt {
  const receipt = fieldsOf(response, 'a receipt')
  const receiptHash = hexOf(receipt.transactionHash, 32, 'the transaction hash of a receipt')
  if (receiptHash !== txHash.toLowerCase()) {
    throw new ChainFault('not_asked', `the node returned the receipt of ${receiptHash} for ${txHash}`)
  }
  const blockNumber = quantityOf(receipt.blockNumber, 'the block number of a receipt')
  const blockHash = hexOf(receipt.blockHash, 32, 'the block hash of a receipt') as Hex
  const status = quantityOf(receipt.status, 'the status of a receipt')
  const logs = checkLogs(receipt.logs, { from: blockNumber, to: blockNumber })
  if (logs.some((log) => log.txHash !== receiptHash || log.blockHash !== blockHash)) {
    throw new ChainFault('not_asked', `the receipt of ${txHash} has a log of another transaction or block`)
  }
  return { blockNumber, blockHash, isSuccess: status === 1n, logs }
}
