import type { Finding } from './alarm-codes.ts'
import { type AssetFields, type HeaderFields, type HeaderLine, toJson } from './header-lines.ts'
import { hasKey, type VaultKey } from './vault-keys.ts'

/** A header with what was computed from it. */
export interface HeaderFacts {
  readonly line: HeaderLine
  readonly source: string
  /** The hash of its fields; absent without fields, or if they have none. */
  readonly computedHash?: string | undefined
  /** The addresses that signed it; absent for a malformed signature. */
  readonly rootSigner?: string | undefined
  readonly bookSigner?: string | undefined
}

/** The stored chain, as a header must continue it. */
export interface Known {
  /** The stored hash of the same number. */
  readonly same: string | undefined
  /** The newest stored header; absent before the first. */
  readonly newest: { readonly number: bigint; readonly hash: string } | undefined
  /** The newest stored header with fields. */
  readonly fields: HeaderFields | undefined
  /** Of the header's vault. */
  readonly keys: readonly VaultKey[]
  /** The vault's clock, and the time of the newest block, in seconds. */
  readonly clock: number
  readonly nowS: number
  /** The header's vault beside that of the newest stored header with fields: the ledger moves to the next one, and never back. */
  readonly vault: 'same' | 'next' | 'left'
  /** There is a later vault. At a move the last header of the old one can stay without signatures, so the next header decides. */
  readonly mayMove: boolean
}

/** Fields of headers that are not on the chain are kept for 90 days. */
const FIELDS_KEPT_S = 90 * 86_400

/** The faults of a header, and whether both keys signed it: only then it belongs to the chain. */
export interface Verdict {
  readonly findings: readonly Finding[]
  readonly isSigned: boolean
}

/** Judges a header. One that is stored already is compared with the stored one only. */
export function judgeHeader(facts: HeaderFacts, known: Known): Verdict {
  const { line, source } = facts
  const { same, newest } = known
  const name = `header ${line.number} of ${source}`
  const isSigned = line.signed !== undefined
  if (same !== undefined) {
    if (same === line.hash) return { findings: [], isSigned }
    const text = `${name} has the hash ${line.hash}, and the stored one ${same}`
    const evidence = { header: toJson(line), stored: same, source }
    return {
      findings: [{ key: `forked_header:${line.number}:${line.hash}`, code: 'forked_header', text, facts: evidence }],
      isSigned: false,
    }
  }
  const findings: Finding[] = []
  const find: Find = (code, text, key = `${line.number}:${line.hash}`) =>
    findings.push({ key: `${code}:${key}`, code, text: `${name} ${text}`, facts: { header: toJson(line), source } })
  if (line.signed && !hasSignatures(facts, known, find)) return { findings, isSigned: false }
  if (known.vault === 'left') {
    find('header_of_left', 'is of a vault that the ledger has left')
    return { findings, isSigned: false }
  }
  if (newest && line.number < newest.number) find('header_gap', 'was not there when later ones were stored')
  else if (newest && line.previous !== newest.hash)
    find('header_gap', `does not name header ${newest.number} as the one before`)
  const fall = line.signed && known.fields && findFall(line.signed.fields, known.fields, known.vault)
  if (fall) find('header_falls', `has a lower ${fall} than header ${known.fields?.number}`)
  if (!line.signed && !known.mayMove && isYoung(known)) findings.push(withheld(line, source))
  return { findings, isSigned }
}

/**
 * Judges headers without fields that waited for the next one, because the ledger may have moved after them.
 *
 * @param tail oldest first
 * @param next.vault of the next header with fields. Only the last header before a move may stay without signatures
 */
export function judgeTail(
  tail: readonly HeaderLine[],
  source: string,
  next: Pick<Known, 'vault' | 'fields' | 'nowS'> & { readonly isNamed: boolean },
): Finding[] {
  if (!isYoung(next)) return []
  const isMove = next.vault === 'next' && next.isNamed
  return tail.slice(0, isMove ? -1 : undefined).map((line) => withheld(line, source))
}

const isYoung = ({ fields, nowS }: Pick<Known, 'fields' | 'nowS'>) =>
  fields !== undefined && nowS - fields.cursorTime < FIELDS_KEPT_S

function withheld(line: HeaderLine, source: string): Finding {
  const { number, hash } = line
  return {
    key: `header_withheld:${number}:${hash}`,
    code: 'header_withheld',
    text: `header ${number} of ${source} comes without its fields: a bookkeeper refused it, or the server hides it`,
    facts: { header: toJson(line), source },
  }
}

type Find = (code: Finding['code'], text: string, key?: string) => void

/** A wrong signer is found once, not with each of its headers. */
function hasSignatures(
  { line, source, computedHash, rootSigner, bookSigner }: HeaderFacts,
  known: Known,
  find: Find,
): boolean {
  const { fields, bookkeeper } = line.signed as NonNullable<HeaderLine['signed']>
  if (computedHash !== line.hash) {
    find('hash_wrong', `states the hash ${line.hash}, and its fields have ${computedHash}`)
    return false
  }
  const at = { clock: known.clock, timeS: fields.cursorTime }
  const [isOfRoot, isOfBook] = [
    hasKey(known.keys, 'root key', rootSigner, at),
    hasKey(known.keys, 'bookkeeper', bookSigner, at),
  ]
  if (!isOfRoot)
    find(
      'signature_wrong',
      `is signed by ${rootSigner}, which is no root key of the vault`,
      `${source}:root:${rootSigner}`,
    )
  if (!isOfBook) {
    const text = bookkeeper
      ? `is signed by ${bookSigner}, which is no bookkeeper of the vault`
      : 'has no signature of a bookkeeper'
    find('signature_wrong', text, `${source}:book:${bookSigner}`)
  }
  return isOfRoot && isOfBook
}

/** Finds a field that is lower than in the header before. The counters of a new vault begin at zero. */
function findFall(fields: HeaderFields, before: HeaderFields, vault: Known['vault']): string | undefined {
  for (const name of ['ledgerSeq', 'cursorBlock', 'cursorTime'] as const)
    if (BigInt(fields[name]) < BigInt(before[name])) return name
  if (vault === 'next') return undefined
  for (const asset of fields.assets) {
    const old = before.assets.find(({ token }) => token === asset.token)
    const fallen = old && SEEN.find((name) => BigInt(asset[name]) < BigInt(old[name]))
    if (fallen) return `${fallen} of ${asset.token}`
  }
  return undefined
}

const SEEN = ['depositedSeen', 'paidSeen', 'exitedSeen', 'payoutPaidSeen'] as const satisfies (keyof AssetFields)[]

/** A root on the chain. */
export interface PostedRoot {
  readonly number: bigint
  readonly hash: string
  readonly postedAtS: number
}

/** The sources have so long to show a header that is on the chain. */
const SHOWN_AFTER_S = 3_600

/**
 * Compares a root on the chain with the stored header of its number.
 *
 * @param known.same the stored hash of the number
 * @param known.newest the newest stored number
 * @returns `waiting` while the sources may still show it
 */
export function judgeRoot(
  { number, hash, postedAtS }: PostedRoot,
  known: { readonly same: string | undefined; readonly newest: bigint | undefined; readonly nowS: number },
): Finding | 'known' | 'waiting' {
  const { same, newest, nowS } = known
  if (same === hash) return 'known'
  const key = `root_denied:${number}:${hash}`
  const facts = { number: `${number}`, hash, stored: same ?? null }
  if (same !== undefined)
    return {
      key,
      code: 'root_denied',
      text: `root ${number} on the chain has the hash ${hash}, and the sources show ${same}`,
      facts,
    }
  if (nowS - postedAtS < SHOWN_AFTER_S && (newest === undefined || newest < number)) return 'waiting'
  return { key, code: 'root_denied', text: `root ${number} is on the chain, and no source shows its header`, facts }
}
