import type { AssetId } from '@clearwell/money/asset'
import type { Hex } from '@clearwell/proofs/bytes'
import { hashOrder, hashPledge } from '@clearwell/proofs/positions'
import type { HeldPosition, Positions } from './read-positions.ts'

/** The fields of a leaf of the positions tree that its owner gets with the path. Amounts in base units, as text. */
export type PositionFields =
  | { readonly kind: 'pledge'; readonly asset: AssetId; readonly shares: string }
  | {
      readonly kind: 'order'
      readonly order_id: string
      readonly collateral_asset: AssetId
      readonly collateral: string
      readonly debt_asset: AssetId
      readonly debt_shares: string
    }

/** A leaf of the positions tree. */
export interface PositionLeaf {
  readonly account: string
  readonly hash: Hex
  readonly fields: PositionFields
}

/** How the positions of a header differ from those of the header before. */
export interface PositionChanges {
  readonly started: readonly HeldPosition[]
  readonly ended: readonly HeldPosition[]
}

/** Returns the leaf of each pledge and of each open order. */
export function positionLeaves(
  { pledges, orders }: Pick<Positions, 'pledges' | 'orders'>,
  tokens: Readonly<Record<AssetId, Hex>>,
): PositionLeaf[] {
  return [
    ...pledges.map(({ salt, account, asset, shares }): PositionLeaf => {
      const hash = hashPledge({ salt: salt as Hex, account: account as Hex, pool: tokens[asset], shares })
      return { account, hash: hexOf(hash), fields: { kind: 'pledge', asset, shares: `${shares}` } }
    }),
    ...orders.map((order): PositionLeaf => {
      const { id, account, collateral_asset, collateral, borrow_asset, debt_shares } = order
      const hash = hashOrder({
        ...{ salt: order.salt as Hex, account: account as Hex, id: `0x${id}` },
        ...{ collateralAsset: tokens[collateral_asset], collateral },
        ...{ debtAsset: tokens[borrow_asset], debtShares: debt_shares },
      })
      const amounts = { collateral: `${collateral}`, debt_asset: borrow_asset, debt_shares: `${debt_shares}` }
      return { account, hash: hexOf(hash), fields: { kind: 'order', order_id: id, collateral_asset, ...amounts } }
    }),
  ]
}

/** @param held those of the header before. @param number of the header that has `leaves`. */
export function changedPositions(
  leaves: readonly PositionLeaf[],
  held: readonly HeldPosition[],
  number: bigint,
): PositionChanges {
  const before = new Set(held.map(({ hash }) => hash))
  const now = new Set<string>(leaves.map(({ hash }) => hash))
  return {
    started: leaves
      .filter(({ hash }) => !before.has(hash))
      .map(({ account, hash, fields }) => ({
        ...{ id: `${number}:${hash}`, account, hash, leaf: JSON.stringify(fields), since: number },
      })),
    ended: held.filter(({ hash }) => !now.has(hash)),
  }
}

function hexOf(hash: Buffer): Hex {
  return `0x${hash.toString('hex')}`
}
