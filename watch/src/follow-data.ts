import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Finding } from './alarm-codes.ts'
import type { HeaderStore } from './header-store.ts'
import { type LineLog, openLineLog, readLines } from './line-log.ts'
import { type DataBlock, readDataLines } from './read-sources.ts'

/** The last stored block, and the hash chain up to it. */
export interface DataEnd {
  readonly number: bigint
  readonly hash: string
}

export interface DataVerdict {
  readonly findings: readonly Finding[]
  /** Blocks that lead to the hash in a header. Those after the last known header wait. */
  readonly proven: readonly (DataBlock & { readonly hash: string })[]
  readonly end: DataEnd | undefined
}

const NO_DATA = `0x${'00'.repeat(32)}`

/** Continues the hash chain: `sha256(0x30 || dataHash before 32 || block)`. */
export function chainBlock(before: string, block: string): string {
  const hash = createHash('sha256')
    .update(Buffer.of(0x30))
    .update(Buffer.from(before.slice(2), 'hex'))
  return `0x${hash.update(Buffer.from(block, 'base64')).digest('hex')}`
}

/**
 * Compares blocks with the headers. After a wrong block the chain goes on from the header's own hash, so one fault is found once.
 *
 * @param end absent before the first block: then the first known header is believed, unless the chain begins with it
 * @param dataHashOf returns `dataHash` of a stored header, `undefined` where it has no fields
 */
export function judgeData(
  blocks: readonly DataBlock[],
  end: DataEnd | undefined,
  dataHashOf: (number: bigint) => string | undefined,
): DataVerdict {
  const findings: Finding[] = []
  const proven: (DataBlock & { readonly hash: string })[] = []
  let waiting: (DataBlock & { readonly hash: string })[] = []
  let [before, last] = [end?.hash, end]
  for (const each of blocks) {
    const stated = dataHashOf(each.number)
    const chained = chainBlock(before ?? NO_DATA, each.block)
    if (before === undefined && stated === undefined) continue
    // Without the block before the first one, its hash cannot be computed.
    const hash = before === undefined ? (stated as string) : chained
    waiting.push({ ...each, hash })
    before = stated ?? hash
    if (stated === undefined) continue
    if (stated === hash) proven.push(...waiting)
    else {
      const text = `the proof data up to header ${each.number} have the hash ${hash}, and the header ${stated}`
      findings.push({ key: `proof_data_wrong:${each.number}`, code: 'proof_data_wrong', text, facts: { stated, hash } })
    }
    last = { number: each.number, hash: stated }
    waiting = []
  }
  return { findings, proven, end: last }
}

const FILE = /^data-\d{4}-\d{2}\.jsonl$/
const BATCH = 500

/** The stored ciphertext. */
export interface DataStore {
  /** Reads a batch of the source, raises what is wrong, and stores what the headers prove. @returns whether there may be more now */
  follow(url: string, headers: HeaderStore, raise: (findings: readonly Finding[]) => Promise<void>): Promise<boolean>
  close(): Promise<void>
}

/** Opens the files `data-<year>-<month>.jsonl` of a folder. */
export async function openDataStore(folder: string, nowMs: () => number): Promise<DataStore> {
  let end: DataEnd | undefined
  let log: { readonly name: string; readonly log: LineLog } | undefined
  const names = (await readdir(folder)).filter((name) => FILE.test(name)).toSorted()
  const last = names.length > 0 ? (await readLines(join(folder, names.at(-1) as string))).at(-1) : undefined
  if (last !== undefined) {
    const { number, data_hash: hash } = JSON.parse(last)
    end = { number: BigInt(number), hash }
  }

  async function logOfNow(): Promise<LineLog> {
    const name = `data-${new Date(nowMs()).toISOString().slice(0, 7)}.jsonl`
    if (log?.name !== name) {
      await log?.log.close()
      log = { name, log: await openLineLog(join(folder, name)) }
    }
    return log.log
  }

  return {
    async follow(url, headers, raise) {
      const newest = headers.signed?.number
      // After days without a look, the headers that would prove the next blocks are no longer in memory: the chain begins again.
      if (end && headers.oldest !== undefined && end.number < headers.oldest) end = undefined
      const from = end ? end.number + 1n : headers.oldest
      if (newest === undefined || from === undefined || from > newest) return false
      const blocks = (await readDataLines(url, from, BATCH)).filter(({ number }) => number <= newest)
      const verdict = judgeData(blocks, end, headers.dataHashOf)
      await raise(verdict.findings)
      if (verdict.proven.length > 0) {
        const lines = verdict.proven.map(({ number, block, hash }) => ({ number: `${number}`, block, data_hash: hash }))
        await (await logOfNow()).append(lines)
      }
      const hasMoved = verdict.end !== undefined && verdict.end.number !== end?.number
      end = verdict.end
      return hasMoved && blocks.length === BATCH
    },
    close: async () => log?.log.close(),
  }
}
