import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { decodeEventLog, getAbiItem, type Hex, numberToHex, type PublicClient, toEventSelector } from 'viem'
import { ChainFault } from './chain-fault.ts'
import { checkLogs, type NodeLog } from './check-logs.ts'
import { createRangeReader } from './log-ranges.ts'
import { behind, type NodeReads } from './node-reads.ts'

interface AnyAct {
  readonly txHash: string
  readonly logIndex: number
  readonly blockNumber: bigint
  /** In lower case. */
  readonly account: string
}

/** What an account did about its exit, as the vault has it. */
export type ExitAct =
  | (AnyAct & { readonly kind: 'request'; readonly at: Date })
  | (AnyAct & { readonly kind: 'cancel' })
  | (AnyAct & {
      readonly kind: 'paid'
      /** The token's address in lower case, zero for the native coin. */
      readonly token: string
      /** In Clearwell's decimals. */
      readonly units: bigint
      /** Received the money. In lower case. */
      readonly receiver: string
    })

const EVENTS = [
  getAbiItem({ abi: exitVaultAbi, name: 'ExitRequested' }),
  getAbiItem({ abi: exitVaultAbi, name: 'ExitCancelled' }),
  getAbiItem({ abi: exitVaultAbi, name: 'Exited' }),
] as const
const TOPICS = EVENTS.map((event) => toEventSelector(event))

/** Reads what accounts did about their exits, in the order of the chain. */
export function createExitActs(
  client: PublicClient,
  node: NodeReads,
  { vault, toLedger }: { readonly vault: Hex; readonly toLedger: (amount: bigint, asset: string) => bigint },
): (range: { from: bigint; to: bigint }) => Promise<readonly ExitAct[]> {
  const read = createRangeReader(({ from, to }) =>
    node.untilCanonical(async () => {
      const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) }
      const filter = { address: vault, topics: [TOPICS], ...range }
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
  return async (range) => (await read(range)).flat().map((log) => actOf(log, { vault, toLedger }))
}

/** @throws ChainFault for a log that was not asked for. */
function actOf(
  log: NodeLog,
  { vault, toLedger }: { readonly vault: Hex; readonly toLedger: (amount: bigint, asset: string) => bigint },
): ExitAct {
  const { txHash, logIndex, blockNumber } = log
  if (log.address !== vault.toLowerCase())
    throw new ChainFault('not_asked', `the node returned log ${logIndex} of ${txHash}, which was not requested`)
  const event = decodedEvent(log)
  const act = { txHash, logIndex, blockNumber, account: event.args.account.toLowerCase() }
  switch (event.eventName) {
    case 'ExitRequested':
      return { ...act, kind: 'request', at: new Date(event.args.time * 1_000) }
    case 'ExitCancelled':
      return { ...act, kind: 'cancel' }
    case 'Exited': {
      const { asset, amount, to } = event.args
      const token = asset.toLowerCase()
      return { ...act, kind: 'paid', token, units: toLedger(amount, token), receiver: to.toLowerCase() }
    }
  }
}

function decodedEvent({ topics, data, txHash, logIndex }: NodeLog) {
  try {
    return decodeEventLog({ abi: EVENTS, topics: topics as [Hex, ...Hex[]], data: data as Hex })
  } catch (error) {
    const text = `the node returned log ${logIndex} of ${txHash}, which is no event of an exit`
    throw new ChainFault('malformed', text, { cause: error })
  }
}
