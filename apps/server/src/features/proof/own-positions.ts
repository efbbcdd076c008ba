import type { ResponseOf } from '@clearwell/api/routes'
import type { Queryable } from '@clearwell/ledger/database'
import type { PositionFields } from '../../domain/proofs/position-leaves.ts'
import type { ProofThread } from '../../domain/proofs/proof-thread.ts'
import { proofAccounts } from '../../platform/custody/proof-places.ts'
import type { SignedHeader } from './signed-headers.ts'

type OwnPosition = Exclude<ResponseOf<'proofMine'>['leaves'][number], { kind: 'user' }>

/**
 * Returns an account's pledges and open loan orders in a header, each with the path to the header's `positionsRoot`.
 *
 * @returns `undefined` if the stored positions do not make this root: the header is of an earlier version, or a restore brought it back.
 */
export async function findOwnPositions(
  { db, provePositions }: { readonly db: Queryable; readonly provePositions: ProofThread['provePositions'] },
  account: string,
  { header }: Pick<SignedHeader, 'header'>,
): Promise<OwnPosition[] | undefined> {
  const [owner] = await proofAccounts.load(db, [account])
  const own = await db.query<{ hash: string; leaf: string }>(
    `select hash, leaf from proof_positions
     where account = $1 and since <= $2 and (ended is null or ended > $2) order by hash`,
    [account, header.number],
  )
  const { root, places } = await provePositions(
    BigInt(header.number),
    own.map(({ hash }) => hash),
  )
  if (root !== header.positionsRoot) return undefined
  return own.map(({ hash, leaf }, at): OwnPosition => {
    const place = places[at]
    if (!place || !owner) throw new Error(`the positions tree of header ${header.number} has no leaf ${hash}`)
    const { index, path } = place
    const steps = path.map((other, height) => ({
      hash: other,
      side: (index >>> height) & 1 ? ('left' as const) : ('right' as const),
    }))
    return { ...(JSON.parse(leaf) as PositionFields), salt: owner.salt, index, path: steps }
  })
}
