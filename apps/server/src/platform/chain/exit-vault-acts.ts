import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { decodeEventLog, getAbiItem, type Hex, numberToHex, type PublicClient, toEventSelector } from 'viem'
import { ChainFault } from './chain-fault.ts'
import { checkLogs, type NodeLog } from './check-logs.ts'
import type { ExitAct } from './exit-act.ts'
import { createRangeReader } from './log-ranges.ts'
import { behind, type NodeReads } from './node-reads.ts'

const EVENTS = [
  getAbiItem({ abi: exitVaultAbi, name: 'ExitRequested' }),
  getAbiItem({ abi: exitVaultAbi, name: 'ExitCancelled' }),
  getAbiItem({ abi: exitVaultAbi, name: 'Exited' }),
] as const
const TOPICS = EVENTS.map((event) => toEventSelector(event))

/** Reads the acts of accounts about their exits, in the order of the chain. */
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
