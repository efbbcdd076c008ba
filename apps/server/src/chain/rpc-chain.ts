import type { AssetId } from '@clearwell/money/asset'
import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import {
  BlockNotFoundError,
  createPublicClient,
  erc20Abi,
  formatLog,
  getAbiItem,
  http,
  type Log,
  type LogTopic,
  numberToHex,
  type PublicClient,
  padHex,
  parseEventLogs,
  TransactionReceiptNotFoundError,
  toEventSelector,
  zeroAddress,
  zeroHash,
} from 'viem'
import type { Chain, ChainDeposit, Custody } from './chain.ts'

const LEDGER_DECIMALS = 18
/** The kinds of logs that tell of a payment. */
const EVENTS = [
  toEventSelector(getAbiItem({ abi: clearwellVaultAbi, name: 'Deposited' })),
  toEventSelector(getAbiItem({ abi: erc20Abi, name: 'Transfer' })),
]

export function createRpcClient(rpcUrl: string): PublicClient {
  return createPublicClient({
    transport: http(rpcUrl, { timeout: 10_000, retryCount: 3, retryDelay: 150 }),
    cacheTime: 0,
  })
}

/**
 * The chain through a node's JSON-RPC.
 *
 * A payment is the vault's own `Deposited` event, or a plain token transfer to the vault that no such event accounts
 * for: nothing that is sent is ever lost.
 */
export function createRpcChain(client: PublicClient, id: number, custody: Custody): Chain {
  const tokens = new Map(custody.tokens.map((token) => [token.address.toLowerCase(), token]))
  const addresses = [custody.vault, ...custody.tokens.map((token) => token.address)]

  // One question for both kinds of logs, so that both answers are of the same moment: `Deposited` of an asset that is
  // listed, `Transfer` to the vault. Without it a node would tell of everyone's transfers of a token.
  const topics: LogTopic[] = [
    EVENTS,
    null,
    [custody.vault, zeroAddress, ...custody.tokens.map((token) => token.address)].map((each) => padHex(each)),
  ]

  const toLedger = (units: bigint, decimals: number) => units * 10n ** BigInt(LEDGER_DECIMALS - decimals)

  function depositsIn(logs: readonly Log[]): ChainDeposit[] {
    const events = parseEventLogs({ abi: clearwellVaultAbi, logs: [...logs], eventName: 'Deposited' }).filter(
      (log) => log.address.toLowerCase() === custody.vault.toLowerCase(),
    )
    const deposits: ChainDeposit[] = []
    for (const event of events) {
      const { account, asset, amount, orderId } = event.args
      const token = tokens.get(asset.toLowerCase())
      if (asset !== zeroAddress && !token) continue
      deposits.push({
        ...place(event),
        account: account.toLowerCase(),
        asset: token?.asset ?? 'BNB',
        units: toLedger(amount, token?.decimals ?? LEDGER_DECIMALS),
        orderId: orderId === zeroHash ? null : orderId,
      })
    }
    return [...deposits, ...plainTransfers(logs, events)]
      .filter((deposit) => deposit.units > 0n)
      .sort((a, b) =>
        a.blockNumber === b.blockNumber ? a.logIndex - b.logIndex : a.blockNumber < b.blockNumber ? -1 : 1,
      )
  }

  /** Token transfers to the vault, less those that belong to a `Deposited` event of the same transaction. */
  function plainTransfers(
    logs: readonly Log[],
    events: readonly { transactionHash: string | null; logIndex: number | null; args: { asset: string } }[],
  ): ChainDeposit[] {
    const transfers = parseEventLogs({ abi: erc20Abi, logs: [...logs], eventName: 'Transfer' }).filter(
      (log) => tokens.has(log.address.toLowerCase()) && log.args.to.toLowerCase() === custody.vault.toLowerCase(),
    )
    const left = new Set(transfers)
    for (const event of events) {
      // `deposit` pulls the tokens and then emits: its transfer is the last one of that token before the event.
      const own = transfers.findLast(
        (transfer) =>
          left.has(transfer) &&
          transfer.transactionHash === event.transactionHash &&
          transfer.address.toLowerCase() === event.args.asset.toLowerCase() &&
          Number(transfer.logIndex) < Number(event.logIndex),
      )
      if (own) left.delete(own)
    }
    return [...left].map((transfer) => {
      const token = tokens.get(transfer.address.toLowerCase()) as (typeof custody.tokens)[number]
      return {
        ...place(transfer),
        account: transfer.args.from.toLowerCase(),
        asset: token.asset,
        units: toLedger(transfer.args.value, token.decimals),
        orderId: null,
      }
    })
  }

  return {
    id,
    async head() {
      const { number, hash } = await client.getBlock({ blockTag: 'latest' })
      return { number, hash }
    },
    async block(blockNumber) {
      try {
        const { number, hash } = await client.getBlock({ blockNumber })
        return { number, hash }
      } catch (error) {
        if (error instanceof BlockNotFoundError) return undefined
        throw error
      }
    },
    async deposits({ from, to }) {
      const logs = await client.request({
        method: 'eth_getLogs',
        params: [{ address: addresses, topics, fromBlock: numberToHex(from), toBlock: numberToHex(to) }],
      })
      return depositsIn(logs.map((log) => formatLog(log) as Log))
    },
    async depositsOf(txHash) {
      try {
        const receipt = await client.getTransactionReceipt({ hash: txHash as `0x${string}` })
        if (receipt.status !== 'success') return { status: 'failed' }
        const logs = receipt.logs.filter((log) =>
          addresses.some((address) => address.toLowerCase() === log.address.toLowerCase()),
        )
        return {
          status: 'mined',
          block: { number: receipt.blockNumber, hash: receipt.blockHash },
          deposits: depositsIn(logs),
        }
      } catch (error) {
        if (error instanceof TransactionReceiptNotFoundError) return { status: 'not_found' }
        throw error
      }
    },
    async vaultHolding(asset: AssetId) {
      if (asset === 'BNB') return client.getBalance({ address: custody.vault })
      const token = custody.tokens.find((each) => each.asset === asset)
      if (!token) return 0n
      const units = await client.readContract({
        address: token.address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [custody.vault],
      })
      return toLedger(units, token.decimals)
    },
  }
}

function place(log: Log) {
  if (log.transactionHash === null || log.logIndex === null || log.blockNumber === null || log.blockHash === null) {
    throw new Error('the node answered a log without its place in the chain')
  }
  return { txHash: log.transactionHash, logIndex: log.logIndex, blockNumber: log.blockNumber, blockHash: log.blockHash }
}
