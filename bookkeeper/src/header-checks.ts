import { hashHeader } from '@clearwell/verify/hash-header'
import type { Totals } from './books.ts'
import type { AssetFields, HeaderFields, LedgerHead } from './ledger-lines.ts'
import type { Counters } from './payments.ts'

/** The header before: what the next one must follow. */
export interface Followed {
  readonly number: bigint
  readonly hash: string
  readonly ledgerSeq: bigint
  readonly dataHash: string
  readonly cursorBlock: bigint
  readonly cursorTime: number
}

/** A header's cursor is younger than this, in seconds. */
const MAX_CURSOR_AGE_S = 3_600

/** Finds a header that does not follow the one before, or whose cursor falls. */
export function faultOfChain(header: HeaderFields, before: Followed): string | undefined {
  if (BigInt(header.number) <= before.number) return `the number does not follow header ${before.number}`
  if (header.previous !== before.hash) return `the header does not name header ${before.number} as the one before`
  if (BigInt(header.ledgerSeq) < before.ledgerSeq) return 'the last entry is older than in the header before'
  if (BigInt(header.cursorBlock) < before.cursorBlock || header.cursorTime < before.cursorTime)
    return "the watcher's block is older than in the header before"
  return undefined
}

/** Finds a header whose hash is not that of its fields: the hash is what gets signed. */
export function faultOfHash(
  header: HeaderFields,
  hash: string,
  { chainId, vault }: Pick<LedgerHead, 'chainId' | 'vault'>,
): string | undefined {
  const fields = header as unknown as Parameters<typeof hashHeader>[0]
  return hashHeader(fields, { chainId, verifyingContract: vault }) === hash ? undefined : 'the header has another hash'
}

/** Finds a header that names another last entry than the ledger has. */
export function faultOfEntry(
  { ledgerSeq, entryHash }: HeaderFields,
  last: { readonly seq: bigint; readonly hash: string },
): string | undefined {
  return ledgerSeq === `${last.seq}` && entryHash === last.hash ? undefined : 'the header names another last entry'
}

/**
 * Finds a cursor that is not the block of the own node, or is too old.
 *
 * @param nowMs absent for a header that was signed before, whose cursor was young then.
 */
export function faultOfCursor(
  header: HeaderFields,
  block: { readonly hash: string; readonly timeS: number },
  nowMs: number | undefined,
): string | undefined {
  if (header.cursorHash !== block.hash) return `block ${header.cursorBlock} is another one on the chain`
  if (header.cursorTime !== block.timeS) return `block ${header.cursorBlock} has another time on the chain`
  if (nowMs !== undefined && nowMs / 1_000 - header.cursorTime >= MAX_CURSOR_AGE_S)
    return "the watcher's block is an hour old"
  return undefined
}

/** The own figures of one asset that its figures in a header must equal. */
export interface OwnFigures {
  readonly asset: string
  readonly root: string
  readonly totals: Readonly<Totals>
  readonly counters: Readonly<Counters>
  /** The vault's payments to the operator's payout address. */
  readonly payoutPaid: bigint
}

/** Finds a root, a total or a counter of the vault's events that differs. @param own of all assets but RT, in any order */
export function faultOfFigures(header: HeaderFields, own: readonly OwnFigures[], { tokens }: LedgerHead) {
  if (header.assets.length !== own.length) return 'the header has other assets'
  for (const figures of own) {
    const { asset } = figures
    const stated = header.assets.filter(({ token }) => token === tokens[asset])
    const [fields] = stated
    if (!fields || stated.length > 1) return `the header does not have ${asset} once`
    const wrong = wrongField(fields, figures)
    if (wrong !== undefined)
      return `the header states ${fields[wrong]} as ${wrong} of ${asset}, not ${ownValue(figures, wrong)}`
  }
  return undefined
}

function wrongField(stated: AssetFields, own: OwnFigures): FigureName | undefined {
  return FIGURES.find((name) => stated[name] !== ownValue(own, name))
}

const FIGURES = [
  ...(['root', 'users', 'lending', 'payouts', 'house', 'locked'] as const),
  ...(['depositedSeen', 'paidSeen', 'exitedSeen', 'payoutPaidSeen'] as const),
] as const
type FigureName = (typeof FIGURES)[number]

function ownValue({ root, totals, counters, payoutPaid }: OwnFigures, name: FigureName): string {
  switch (name) {
    case 'root':
      return root
    case 'depositedSeen':
      return `${counters.deposited}`
    case 'paidSeen':
      return `${counters.paid}`
    case 'exitedSeen':
      return `${counters.exited}`
    case 'payoutPaidSeen':
      return `${payoutPaid}`
    default:
      return `${totals[name]}`
  }
}

/** Finds a tree of RT that differs, or another depth. */
export function faultOfRt(
  header: HeaderFields,
  own: { readonly root: string; readonly users: bigint },
  { depth }: LedgerHead,
): string | undefined {
  if (header.depth !== depth) return `the trees have depth ${depth}, not ${header.depth}`
  if (header.rtRoot !== own.root) return 'the header has another root of RT'
  return header.rtUsers === `${own.users}` ? undefined : 'the header has another total of RT'
}
