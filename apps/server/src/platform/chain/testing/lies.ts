import { numberToHex } from 'viem'
import type { FaultKind } from '../chain-fault.ts'
import type { TestNode } from './node.ts'

/** A way in which a node lies about payments in tests, and the fault that reveals it. */
export interface Lie {
  readonly name: string
  readonly kind: FaultKind
  readonly lie: NonNullable<TestNode['lie']>
}

type Json = Record<string, unknown>

const OTHER_HASH = `0x${'e'.repeat(64)}`
const changed = (change: (log: Json) => Json) => (logs: Json[]) =>
  logs.map((log, index) => (index === 0 ? change(log) : log))
const without = (field: string) => changed(({ [field]: _gone, ...rest }) => rest)
const withTopic = (index: number, topic: string) =>
  changed((log) => ({ ...log, topics: (log.topics as string[]).map((each, at) => (at === index ? topic : each)) }))

/** Changes the logs of a response that has some; other responses stay honest. */
function ofLogs(name: string, kind: FaultKind, change: (logs: Json[]) => unknown): Lie {
  return {
    name,
    kind,
    lie: ({ method }, honest) =>
      method === 'eth_getLogs' && (honest as Json[]).length > 0 ? change(honest as Json[]) : honest,
  }
}

function ofBlocks(name: string, kind: FaultKind, change: (block: Json) => unknown): Lie {
  return {
    name,
    kind,
    lie: ({ method }, honest) => (method === 'eth_getBlockByNumber' && honest ? change(honest as Json) : honest),
  }
}

/** Needs logs of at least two payments. */
export const LIES: readonly Lie[] = [
  ofLogs(
    'a log of a block outside the range',
    'not_asked',
    changed((log) => ({ ...log, blockNumber: '0xfffff' })),
  ),
  ofLogs(
    'a log of another address',
    'not_asked',
    changed((log) => ({ ...log, address: `0x${'9'.repeat(40)}` })),
  ),
  ofLogs('a log of another event', 'not_asked', withTopic(0, OTHER_HASH)),
  ofLogs('a deposit of an asset that is not listed', 'not_asked', withTopic(2, `0x${'0'.repeat(24)}${'9'.repeat(40)}`)),
  ofLogs('a block hash that its chain does not hold', 'not_canonical', (logs) =>
    logs.map((log) => ({ ...log, blockHash: OTHER_HASH })),
  ),
  ofLogs('two blocks with one number', 'not_canonical', (logs) => [
    ...logs,
    { ...logs.at(-1), blockHash: OTHER_HASH, logIndex: '0xff', transactionHash: OTHER_HASH },
  ]),
  ofLogs(
    'a log that was removed',
    'removed',
    changed((log) => ({ ...log, removed: true })),
  ),
  ofLogs('a log twice', 'duplicate', (logs) => [logs[0], ...logs]),
  ofLogs('a log twice, far apart', 'duplicate', (logs) => [...logs, logs[0]]),
  ofLogs('another payment under the same place', 'duplicate', (logs) => [
    logs[0],
    { ...logs[0], transactionHash: OTHER_HASH },
    ...logs.slice(1),
  ]),
  ofLogs('logs out of order', 'unordered', (logs) => logs.toReversed()),
  ofLogs('logs that are no list', 'malformed', () => ({})),
  ofLogs('no answer where a list should be', 'malformed', () => null),
  ofLogs('a log that is nothing', 'malformed', (logs) => [null, ...logs]),
  ...['address', 'topics', 'data', 'blockNumber', 'blockHash', 'transactionHash', 'logIndex'].map((field) =>
    ofLogs(`a log without its ${field}`, 'malformed', without(field)),
  ),
  ofLogs(
    'a log with too few topics',
    'malformed',
    changed((log) => ({ ...log, topics: (log.topics as string[]).slice(0, 3) })),
  ),
  ofLogs('a topic that is too short', 'malformed', withTopic(1, '0x12')),
  ofLogs('an account longer than an address', 'malformed', withTopic(1, `0x${'a'.repeat(64)}`)),
  ofLogs(
    'an amount of 64 bytes',
    'malformed',
    changed((log) => ({ ...log, data: `${log.data}${'0'.repeat(64)}` })),
  ),
  ofLogs(
    'no amount at all',
    'malformed',
    changed((log) => ({ ...log, data: '0x' })),
  ),
  ofLogs(
    'an amount above the supply',
    'absurd_amount',
    changed((log) => ({ ...log, data: `0x${'f'.repeat(64)}` })),
  ),
  ofLogs(
    'a block number that is a plain number',
    'malformed',
    changed((log) => ({ ...log, blockNumber: 1 })),
  ),
  ofBlocks('another block than was asked for', 'not_asked', (block) => ({
    ...block,
    number: numberToHex(BigInt(block.number as string) + 1n),
  })),
  ofBlocks('a block without a hash', 'malformed', ({ hash: _gone, ...block }) => block),
  ofBlocks('a block without a time', 'malformed', ({ timestamp: _gone, ...block }) => block),
  ofBlocks('a block of the day after tomorrow', 'future_block', (block) => ({
    ...block,
    timestamp: numberToHex(BigInt(block.timestamp as string) + 172_800n),
  })),
  {
    name: 'another chain id',
    kind: 'wrong_chain',
    lie: ({ method }, honest) => (method === 'eth_chainId' ? '0x1' : honest),
  },
]
