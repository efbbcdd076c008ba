import type { proofRoutes } from '@clearwell/api/proof.routes'
import type { Database } from '@clearwell/ledger/database'
import { readPostings } from '@clearwell/ledger/read-postings'
import type { OwnLeaves } from '../../domain/proofs/own-leaves-port.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { userAccounts } from '../../platform/ledger/accounts.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { dataLines } from './data-lines.ts'
import { findOwnLeaves } from './own-leaves.ts'
import { findOwnPositions } from './own-positions.ts'
import { proofExport } from './proof-export.ts'
import type { ProofHeaders } from './proof-headers.ts'
import { findHeader, findHeaderOfEntry, findHourlyHeader, headerLines } from './signed-headers.ts'

type ProofHandlers = Pick<
  HandlersOf<typeof proofRoutes>,
  'proofHeader' | 'proofMine' | 'proofEntry' | 'proofHeaders' | 'proofData' | 'proofExport'
>

type Headers = Pick<ProofHeaders, 'settings' | 'prove' | 'provePositions'>

const JSON_LINES = 'application/jsonl; charset=utf-8'

/**
 * The calls that give out headers and paths.
 *
 * @param headers absent: this server makes no headers and has no keys, so it finds none.
 * @param hasExits the vault takes headers: paths are given out for those that it has.
 */
export function proofHandlers({
  db,
  headers,
  hasExits,
}: {
  readonly db: Database
  readonly headers: Headers | undefined
  readonly hasExits: boolean
}): ProofHandlers {
  const which = hasExits ? 'posted' : 'signed'
  return {
    async proofHeader({ number }) {
      found(headers)
      return found(await findHeader(db, bigintOf(number))).signed
    },
    async proofMine({ number }, { user }) {
      const mine = await findMine(db, { headers: found(headers), account: user.id, number, which })
      const { header, leaves, positions = [] } = mine
      const postedAt = header.postedAt?.toISOString() ?? null
      return { number: header.signed.number, posted_at: postedAt, leaves: [...leaves, ...positions] }
    },
    async proofEntry({ entry }, { user }) {
      found(headers)
      const seq = BigInt(entry)
      const [own] = await readPostings(db, {
        ...{ accounts: userAccounts(user.id), asset: undefined, kinds: undefined, range: { from: seq, to: seq } },
        ...{ order: 'oldest_first', after: undefined, limit: 1 },
      })
      return found(own && (await findHeaderOfEntry(db, seq))).signed
    },
    async proofHeaders({ from = 0 }) {
      found(headers)
      return { name: 'headers.jsonl', type: JSON_LINES, pieces: headerLines(db, BigInt(from)) }
    },
    async proofData({ from = 0 }) {
      found(headers)
      return { name: 'data.jsonl', type: JSON_LINES, pieces: dataLines(db, BigInt(from)) }
    },
    async proofExport({ from = 1 }, { user }) {
      const { settings } = found(headers)
      const mine = await findMine(db, { headers: found(headers), account: user.id, which })
      const { chainId, vault } = settings.domain
      const pieces = proofExport(db, {
        ...{ chainId, vault, tokens: settings.tokens, account: user.id, from: BigInt(from) },
        ...{ signed: mine.header.signed, leaves: mine.leaves, positions: mine.positions },
      })
      return { name: 'proof.jsonl', type: JSON_LINES, pieces }
    },
  }
}

/** Finds leaves in one header, for the exit of their owner. */
export function createOwnLeaves(
  db: Database,
  headers: Pick<ProofHeaders, 'settings' | 'prove'> | undefined,
): OwnLeaves {
  return {
    async inHeader(account, number, vault) {
      const header = headers && (await findHeader(db, number))
      return header && findOwnLeaves({ ...leafDependencies(db, headers), vault }, account, header.signed)
    },
  }
}

function leafDependencies(db: Database, { settings, prove }: Pick<ProofHeaders, 'settings' | 'prove'>) {
  return { db, prove, tokens: settings.tokens, vault: settings.domain.vault.toLowerCase() }
}

async function findMine(
  db: Database,
  of: {
    readonly headers: Headers
    readonly account: string
    readonly number?: number | undefined
    readonly which: 'signed' | 'posted'
  },
) {
  const header = found(await findHourlyHeader(db, { number: bigintOf(of.number), which: of.which }))
  const { headers, account } = of
  return {
    header,
    leaves: found(await findOwnLeaves(leafDependencies(db, headers), account, header.signed)),
    positions: await findOwnPositions({ db, provePositions: headers.provePositions }, account, header.signed),
  }
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw refusal('not_found')
  return value
}

function bigintOf(number: number | undefined): bigint | undefined {
  return number === undefined ? undefined : BigInt(number)
}
