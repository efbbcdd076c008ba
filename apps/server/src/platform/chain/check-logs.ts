import { ChainFault } from './chain-fault.ts'
import type { BlockRange } from './log-ranges.ts'

/** A well-formed log. Its content is not checked yet. */
export interface NodeLog {
  /** In lower case, like every hex field here. */
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly blockNumber: bigint
  readonly blockHash: string
  readonly txHash: string
  readonly logIndex: number
}

/**
 * Checks that a response has the logs that an honest node returns for the range: each in the range, none twice, in the
 * order of the chain, one block per number and one block per transaction.
 *
 * @throws ChainFault, which rejects the whole response.
 */
export function checkLogs(response: unknown, { from, to }: BlockRange): NodeLog[] {
  if (!Array.isArray(response)) throw new ChainFault('malformed', 'the node returned logs that are no list')
  const logs = response.map(formOf)
  const blocks = new Map<bigint, string>()
  const transactions = new Map<string, bigint>()
  let last: NodeLog | undefined
  for (const log of logs) {
    const { blockNumber, blockHash, txHash, logIndex } = log
    if (blockNumber < from || blockNumber > to) {
      throw new ChainFault('not_asked', `the node returned a log of block ${blockNumber} for blocks ${from} to ${to}`)
    }
    if ((blocks.get(blockNumber) ?? blockHash) !== blockHash) {
      throw new ChainFault('not_canonical', `the node returned logs of two blocks with the number ${blockNumber}`)
    }
    if ((transactions.get(txHash) ?? blockNumber) !== blockNumber) {
      throw new ChainFault('duplicate', `the node returned logs of transaction ${txHash} in two blocks`)
    }
    blocks.set(blockNumber, blockHash)
    transactions.set(txHash, blockNumber)
    if (last?.blockNumber === blockNumber && last.logIndex === logIndex) {
      throw new ChainFault('duplicate', `the node returned log ${logIndex} of block ${blockNumber} twice`)
    }
    if (last && (last.blockNumber > blockNumber || (last.blockNumber === blockNumber && last.logIndex > logIndex))) {
      throw isTwice(logs, log)
        ? new ChainFault('duplicate', `the node returned log ${logIndex} of block ${blockNumber} twice`)
        : new ChainFault('unordered', `the node returned the logs of block ${blockNumber} out of order`)
    }
    last = log
  }
  return logs
}

function isTwice(logs: readonly NodeLog[], { blockNumber, logIndex }: NodeLog): boolean {
  return logs.filter((each) => each.blockNumber === blockNumber && each.logIndex === logIndex).length > 1
}

function formOf(value: unknown): NodeLog {
  const log = fieldsOf(value, 'a log')
  if (log.removed === true) throw new ChainFault('removed', 'the node returned a log that a reorg removed')
  if (!Array.isArray(log.topics) || log.topics.length > 4) throw malformed('the topics of a log')
  return {
    address: hexOf(log.address, 20, 'the address of a log'),
    topics: log.topics.map((topic) => hexOf(topic, 32, 'a topic of a log')),
    data: hexOf(log.data, undefined, 'the data of a log'),
    blockNumber: quantityOf(log.blockNumber, 'the block number of a log'),
    blockHash: hexOf(log.blockHash, 32, 'the block hash of a log'),
    txHash: hexOf(log.transactionHash, 32, 'the transaction hash of a log'),
    logIndex: Number(quantityOf(log.logIndex, 'the index of a log')),
  }
}

/** Reads an object. @throws ChainFault for anything else. */
export function fieldsOf(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(what)
  return value as Record<string, unknown>
}

/** Reads hex of `bytes` bytes (any number if undefined), and returns it in lower case. @throws ChainFault */
export function hexOf(value: unknown, bytes: number | undefined, what: string): string {
  const isHex = typeof value === 'string' && /^0x(?:[0-9a-fA-F]{2})*$/.test(value)
  if (!isHex || (bytes !== undefined && value.length !== 2 + 2 * bytes)) throw malformed(what)
  return value.toLowerCase()
}

/** Reads a position or a time, which has at most 53 bits. @throws ChainFault */
export function quantityOf(value: unknown, what: string): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,13}$/.test(value)) throw malformed(what)
  return BigInt(value)
}

function malformed(what: string): ChainFault {
  return new ChainFault('malformed', `the node returned ${what} that is missing or malformed`)
}
