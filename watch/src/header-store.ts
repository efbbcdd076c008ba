import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type HeaderFields, type HeaderLine, parseHeaderLine, toJson } from './header-lines.ts'
import { type LineLog, openLineLog, readLines } from './line-log.ts'

/** The stored headers. The hashes of the newest ones are in memory. */
export interface HeaderStore {
  readonly newest: { readonly number: bigint; readonly hash: string } | undefined
  /** The lowest number whose hash is in memory. */
  readonly oldest: bigint | undefined
  /** The newest header with fields, and its line as it was published. */
  readonly signed: HeaderLine | undefined
  readonly fields: HeaderFields | undefined
  hashOf(number: bigint): string | undefined
  /** `dataHash` of a header; `undefined` if it is not in memory, or has no fields. */
  readonly dataHashOf: (number: bigint) => string | undefined
  /** Stores lines that continue the chain. @param wallMs decides the file. */
  add(lines: readonly HeaderLine[], wallMs: number): Promise<void>
  close(): Promise<void>
}

/** Two days of headers at one each ten seconds. */
const IN_MEMORY = 20_000
const FILE = /^headers-\d{4}-\d{2}\.jsonl$/

/** Opens the files `headers-<year>-<month>.jsonl` of a folder. Older ones may be moved away. */
export async function openHeaderStore(folder: string): Promise<HeaderStore> {
  const hashes = new Map<bigint, { readonly hash: string; readonly dataHash: string | undefined }>()
  let newest: HeaderStore['newest']
  let signed: HeaderLine | undefined
  let log: { readonly name: string; readonly log: LineLog } | undefined

  const remember = (line: HeaderLine) => {
    hashes.set(line.number, { hash: line.hash, dataHash: line.signed?.fields.dataHash })
    if (!newest || line.number > newest.number) newest = { number: line.number, hash: line.hash }
    if (line.signed) signed = line
    // A map keeps the order in which it got its keys, and the numbers rise.
    for (const [number] of hashes) {
      if (hashes.size <= IN_MEMORY) break
      hashes.delete(number)
    }
  }
  const names = (await readdir(folder)).filter((name) => FILE.test(name)).toSorted()
  for (const name of names.slice(-2)) {
    for (const text of await readLines(join(folder, name))) remember(parseHeaderLine(text))
  }

  async function logOf(wallMs: number): Promise<LineLog> {
    const name = `headers-${new Date(wallMs).toISOString().slice(0, 7)}.jsonl`
    if (log?.name !== name) {
      await log?.log.close()
      log = { name, log: await openLineLog(join(folder, name)) }
    }
    return log.log
  }

  return {
    get newest() {
      return newest
    },
    get oldest() {
      const [first] = hashes.keys()
      return first
    },
    get signed() {
      return signed
    },
    get fields() {
      return signed?.signed?.fields
    },
    hashOf: (number) => hashes.get(number)?.hash,
    dataHashOf: (number) => hashes.get(number)?.dataHash,
    async add(lines, wallMs) {
      if (lines.length === 0) return
      const target = await logOf(wallMs)
      await target.append(lines.map(toJson))
      for (const line of lines) remember(line)
    },
    close: async () => log?.log.close(),
  }
}
