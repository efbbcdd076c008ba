import type { Finding } from './alarm-codes.ts'
import { type HeaderLine, parseHeaderLine } from './header-lines.ts'
import type { HeaderStore } from './header-store.ts'
import { type HeaderFacts, judgeHeader, judgeTail, type Known } from './judge-header.ts'
import { readHeaderLines, recoverSigner } from './read-sources.ts'
import { hashFor, type VaultOrder, vaultOfHeader } from './vault-order.ts'

/** One source of headers, and how far it was read. */
export interface HeaderSource {
  readonly url: string
  /** The number to read from: the last one again, so that a changed one is noticed. */
  next: bigint
  /** Headers without fields, until one that both keys signed names the last of them as the one before. */
  tail: HeaderLine[]
}

/** The chain as one look has read it. */
export interface Moment {
  readonly nowS: number
  /** Of each vault, oldest first. */
  readonly vaults: readonly Pick<Known, 'keys' | 'clock'>[]
}

export interface FollowDependencies {
  readonly store: HeaderStore
  readonly order: VaultOrder
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
  const { store, order, nowMs, raise } = deps
  const lines = await readHeaderLines(source.url, source.next, BATCH)
  const before = source.next
  let newestAt = (store.signed && vaultOfHeader(store.signed, order)) ?? 0
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
    const at = placeOf(line, store.signed && newestAt, order)
    const known: Known = {
      ...{ same: store.hashOf(line.number), newest, fields: store.fields, nowS: moment.nowS },
      ...(moment.vaults[at.index] as Moment['vaults'][number]),
      ...{ vault: at.vault, mayMove: at.mayMove },
    }
    const { findings, isSigned } = judgeHeader(await factsOf(line, source.url, at), known)
    await raise(findings)
    source.next = line.number
    if (known.same !== undefined) continue
    const isNew = newest === undefined || line.number > newest.number
    if (!line.signed && isNew && store.fields) source.tail.push(line)
    else if (isNew && (isSigned || !line.signed)) {
      const isNamed = line.previous === newest?.hash
      if (at.mayMove) await raise(judgeTail(source.tail, source.url, { ...known, isNamed }))
      await store.add(isNamed ? [...source.tail, line] : [line], nowMs())
      if (line.signed) newestAt = at.index
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

interface Place extends Pick<Known, 'vault' | 'mayMove'> {
  readonly index: number
  /** For that vault. */
  readonly computedHash: string | undefined
}

/**
 * Finds the vault that a header is judged by: its own, or that of the newest stored header for one of no vault.
 *
 * @param newestAt of the newest stored header with fields
 */
function placeOf(line: HeaderLine, newestAt: number | undefined, order: VaultOrder): Place {
  const before = newestAt ?? 0
  const own = vaultOfHeader(line, order, before)
  const index = own ?? before
  const computedHash = own === undefined ? line.signed && hashFor(line.signed.fields, order, index) : line.hash
  const vault = newestAt === undefined || index === before ? 'same' : index > before ? 'next' : 'left'
  return { index, computedHash, vault, mayMove: before < order.vaults.length - 1 }
}

async function factsOf(
  line: HeaderLine,
  source: string,
  { computedHash }: Pick<Place, 'computedHash'>,
): Promise<HeaderFacts> {
  if (!line.signed) return { line, source }
  const { root, bookkeeper } = line.signed
  const [rootSigner, bookSigner] = await Promise.all([
    recoverSigner(line.hash, root),
    recoverSigner(line.hash, bookkeeper),
  ])
  return { line, source, computedHash, rootSigner, bookSigner }
}
