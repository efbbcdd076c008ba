import { hashHeader } from '@clearwell/verify/hash-header'
import type { Hex } from 'viem'
import type { Finding } from './alarm-codes.ts'
import { type HeaderFields, type HeaderLine, parseHeaderLine } from './header-lines.ts'
import type { HeaderStore } from './header-store.ts'
import { type HeaderFacts, judgeHeader, type Known } from './judge-header.ts'
import { readHeaderLines, recoverSigner } from './read-sources.ts'

/** One source of headers, and how far it was read. */
export interface HeaderSource {
  readonly url: string
  /** The number to read from: the last one again, so that a changed one is noticed. */
  next: bigint
  /** Headers without fields, until one that both keys signed names the last of them as the one before. */
  tail: HeaderLine[]
}

/** The chain as one look has read it. */
export type Moment = Pick<Known, 'keys' | 'clock' | 'nowS'>

export interface FollowDependencies {
  readonly store: HeaderStore
  readonly domain: { readonly chainId: number; readonly vault: Hex }
  readonly nowMs: () => number
  readonly raise: (findings: readonly Finding[]) => Promise<void>
}

/** Lines of one request. */
const BATCH = 2_000

/**
 * Reads a batch of a source, raises what is wrong, and stores what continues the chain.
 *
 * @returns whether the source may have more now
 */
export async function followSource(deps: FollowDependencies, source: HeaderSource, moment: Moment): Promise<boolean> {
  const { store, domain, nowMs, raise } = deps
  const lines = await readHeaderLines(source.url, source.next, BATCH)
  const before = source.next
  for (const text of lines) {
    const line = tryParse(text)
    if (line instanceof Error) {
      await raise([
        {
          key: `source_malformed:${source.url}:${source.next}`,
          code: 'source_malformed',
          text: `${source.url}: ${line.message}`,
          facts: { line: text.slice(0, 2_000) },
        },
      ])
      return false
    }
    if (source.tail.some(({ number, hash }) => number === line.number && hash === line.hash)) continue
    const newest = source.tail.at(-1) ?? store.newest
    const known = { ...moment, same: store.hashOf(line.number), newest, fields: store.fields }
    const { findings, isSigned } = judgeHeader(await factsOf(line, source.url, domain), known)
    await raise(findings)
    source.next = line.number
    if (known.same !== undefined) continue
    const isNew = newest === undefined || line.number > newest.number
    if (!line.signed && isNew && store.fields) source.tail.push(line)
    else if (isNew && (isSigned || !line.signed)) {
      const isNamed = line.previous === newest?.hash
      await store.add(isNamed ? [...source.tail, line] : [line], nowMs())
      source.tail = []
    }
  }
  return lines.length === BATCH && source.next > before
}

function tryParse(text: string): HeaderLine | Error {
  try {
    return parseHeaderLine(text)
  } catch (error) {
    return error as Error
  }
}

async function factsOf(
  line: HeaderLine,
  source: string,
  { chainId, vault }: FollowDependencies['domain'],
): Promise<HeaderFacts> {
  if (!line.signed) return { line, source }
  const { fields, root, bookkeeper } = line.signed
  const computedHash = tryHash(fields, { chainId, verifyingContract: vault })
  const [rootSigner, bookSigner] = await Promise.all([
    recoverSigner(line.hash, root),
    recoverSigner(line.hash, bookkeeper),
  ])
  return { line, source, computedHash, rootSigner, bookSigner }
}

/** @returns `undefined` if a field is larger than its type */
function tryHash(
  fields: HeaderFields,
  domain: { readonly chainId: number; readonly verifyingContract: string },
): string | undefined {
  try {
    return hashHeader(fields as never, domain)
  } catch {
    return undefined
  }
}
