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
  getAbiItem({ abi: exitVaultAbi, name: 'RootPosted' }),
  getAbiItem({ abi: exitVaultAbi, name: 'RootsDropped' }),
] as const
const TOPICS = EVENTS.map((event) => toEventSelector(event))

/**
 * Reads the acts of accounts about their exits, and those of roots, in the order of the chain.
 *
 * @param of.vaults the vault, and those that the ledger has left. One without exits has no such events.
 */
export function createExitActs(
  client: PublicClient,
  node: NodeReads,
  { vaults, toLedger }: { readonly vaults: readonly Hex[]; readonly toLedger: ToLedger },
): (range: { from: bigint; to: bigint }) => Promise<readonly ExitAct[]> {
  const read = createRangeReader(({ from, to }) =>
    node.untilCanonical(async () => {
      const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) }
      const filter = { address: [...vaults], topics: [TOPICS], ...range }
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
  const known = new Set(vaults.map((vault) => vault.toLowerCase()))
  return async (range) => (await read(range)).flat().map((log) => actOf(log, { known, toLedger }))
}

type ToLedger = (amount: bigint, asset: string) => bigint

/** @throws ChainFault for a log that was not asked for. */
function actOf(
  log: NodeLog,
  { known, toLedger }: { readonly known: ReadonlySet<string>; readonly toLedger: ToLedger },
): ExitAct {
  const { txHash, logIndex, blockNumber, address: vault } = log
  if (!known.has(vault))
    throw new ChainFault('not_asked', `the node returned log ${logIndex} of ${txHash}, which was not requested`)
  const event = decodedEvent(log)
  const act = { vault, txHash, logIndex, blockNumber }
  switch (event.eventName) {
    case 'ExitRequested':
      return { ...act, ...accountIn(event.args), kind: 'request', at: timeOf(event.args.time) }
    case 'ExitCancelled':
      return { ...act, ...accountIn(event.args), kind: 'cancel' }
    case 'Exited': {
      const { asset, amount, to, base } = event.args
      const token = asset.toLowerCase()
      const paid = { token, units: toLedger(amount, token), receiver: to.toLowerCase(), base }
      return { ...act, ...accountIn(event.args), kind: 'paid', ...paid }
    }
    case 'RootPosted': {
      const { seq, number, headerHash, postedAt } = event.args
      return { ...act, kind: 'root', seq, number, headerHash, postedAt: timeOf(postedAt) }
    }
    case 'RootsDropped': {
      const { from, to } = event.args
      return { ...act, kind: 'drop', from, to }
    }
  }
}

const accountIn = ({ account }: { readonly account: Hex }) => ({ account: account.toLowerCase() })
const timeOf = (seconds: number) => new Date(seconds * 1_000)

function decodedEvent({ topics, data, txHash, logIndex }: NodeLog) {
  try {
    return decodeEventLog({ abi: EVENTS, topics: topics as [Hex, ...Hex[]], data: data as Hex })
  } catch (error) {
    const text = `the node returned log ${logIndex} of ${txHash}, which is no event of an exit`
    throw new ChainFault('malformed', text, { cause: error })
  }
}
