import { type Command, type RowWrite, write } from '@clearwell/ledger/command'
import type { Hex } from '@clearwell/proofs/bytes'
import { watchedVaults } from '../../platform/custody/watched-vault.ts'
import { HEADER_TIME, headerTimes } from '../../platform/ledger/header-age.ts'
import { HEADER_KEYS, writeHeaderTimes } from '../../platform/ledger/repayment-stop.ts'
import { HEAD, proofData, proofHeaderBodies, proofHeaders, proofHeads, proofPositions } from './proof.tables.ts'
import type { MadeHeader } from './proof-books.ts'

const OWNER = 'proofs'
const HEAD_KEY = { table: proofHeads, id: HEAD }

/** A header as JSON: amounts and numbers of more than 53 bits as decimal text. `readHeader` reads it. */
export function headerJson(header: MadeHeader['header']): string {
  return JSON.stringify(header, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))
}

/**
 * Records a header and its proof data, before anyone signs it. The head of the chain is checked in the writer, so of two servers
 * that make a header one records it, and no number has two.
 *
 * @param of.rootsCount with a vault with exits: trading then stops by the age of the newest root.
 */
export function recordHeader(
  made: MadeHeader,
  { chainId, rootsCount }: { readonly chainId: number; readonly rootsCount: boolean },
): Command<{ recorded: boolean }> {
  const { header, hash, vault, block, quarter, change, after, lines, positions } = made
  const watched = { table: watchedVaults, id: String(chainId) }
  const { number, previous, ledgerSeq, dataHash } = header
  return {
    kind: 'proof_header',
    owner: OWNER,
    payload: { number: `${number}`, hash },
    preload: [HEAD_KEY, ...HEADER_KEYS, watched],
    decide(state, { now }) {
      const head = state.row(proofHeads, HEAD)
      // A server that has not been restarted since the ledger moved would name the vault of before.
      if ((state.row(watchedVaults, watched.id)?.vault ?? vault) !== vault) return { response: { recorded: false } }
      if (head?.number !== after || head?.is_signed === false) return { response: { recorded: false } }
      const id = `${number}`
      const body = { id, header: headerJson(header), made_at: now, lines: lines && JSON.stringify(lines) }
      const unsigned = {
        root_signature: null,
        book_signature: null,
        book_refusal: null,
        tx_hash: null,
        posted_at: null,
      }
      const rows: RowWrite[] = [
        write(proofHeaders, { id, number, previous, hash, ledger_seq: ledgerSeq, made_at: now }),
        write(proofHeaderBodies, { ...body, ...unsigned }),
        write(proofData, { id, number, quarter, block: block.toString('base64') }),
        ...positions.started.map((row) => write(proofPositions, { ...row, ended: null, ended_at: null })),
        ...positions.ended.map((row) => write(proofPositions, { ...row, ended: number, ended_at: now })),
        write(proofHeads, {
          ...{ id: HEAD, number, hash, data_hash: dataHash, ledger_seq: ledgerSeq, change, made_at: now },
          is_signed: false,
        }),
      ]
      // Before the first signature, and before the first root of a vault, the age counts from here.
      const times = state.row(headerTimes, HEADER_TIME.id)
      const isFirst = { signed: !times?.made_at, posted: rootsCount && !times?.root_made_at }
      if (isFirst.signed || isFirst.posted) {
        const begun = { ...(isFirst.signed ? { made_at: now } : {}), ...(isFirst.posted ? { root_made_at: now } : {}) }
        rows.push(...writeHeaderTimes(state, begun, now))
      }
      return { rows, response: { recorded: true } }
    },
  }
}

/** A bookkeeper's statement that it does not sign a header. */
export interface Refusal {
  readonly reason: string
  /** By EIP-191, over the text that `bookkeeper/src/statements.ts` has. */
  readonly signature: Hex
}

/**
 * Records the signatures of a header together, or the refusal of the bookkeeper. Then the next header may follow.
 *
 * @param signed.bookkeeper null where no bookkeeper is configured.
 */
export function recordStatement(
  number: bigint,
  signed: { readonly root: Hex; readonly bookkeeper: Hex | null } | { readonly refusal: Refusal },
): Command<{ recorded: boolean }> {
  const id = `${number}`
  return {
    kind: 'proof_signature',
    owner: OWNER,
    payload: { number: id },
    preload: [HEAD_KEY, ...HEADER_KEYS, { table: proofHeaderBodies, id }],
    decide(state, { now }) {
      const head = state.row(proofHeads, HEAD)
      const body = state.row(proofHeaderBodies, id)
      if (head?.number !== number || head.is_signed || !body) return { response: { recorded: false } }
      const fields =
        'refusal' in signed
          ? { book_refusal: JSON.stringify(signed.refusal) }
          : { root_signature: signed.root, book_signature: signed.bookkeeper }
      const rows: RowWrite[] = [
        write(proofHeaderBodies, { ...body, ...fields }),
        write(proofHeads, { ...head, is_signed: true }),
      ]
      if ('root' in signed) rows.push(...writeHeaderTimes(state, { made_at: head.made_at }, now))
      return { rows, response: { recorded: true } }
    },
  }
}
