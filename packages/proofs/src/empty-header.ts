import { BalanceTrees } from './balance-trees.ts'
import type { Hex } from './bytes.ts'
import type { Header } from './header.ts'

const NO_HASH: Hex = `0x${'00'.repeat(32)}`

/**
 * Returns the header of a ledger without entries.
 *
 * @param of.cursor the block up to which there are none: number, hash, and time in seconds.
 * @param of.tokens the vault's assets, in its order.
 */
export function emptyHeader(of: {
  readonly number: bigint
  readonly cursor: { readonly number: bigint; readonly hash: Hex; readonly time: number }
  readonly tokens: readonly Hex[]
}): Header {
  const { number, cursor, tokens } = of
  const trees = new BalanceTrees(tokens)
  const nothing = { users: 0n, lending: 0n, payouts: 0n, house: 0n, locked: 0n }
  const unseen = { depositedSeen: 0n, paidSeen: 0n, exitedSeen: 0n, payoutPaidSeen: 0n }
  return {
    ...{ number, previous: NO_HASH, ledgerSeq: 0n, entryHash: NO_HASH },
    ...{ cursorBlock: cursor.number, cursorHash: cursor.hash, cursorTime: cursor.time },
    ...{ positionsRoot: NO_HASH, pools: NO_HASH, rules: NO_HASH, boxDay: 0, boxRoot: NO_HASH, dataHash: NO_HASH },
    ...{ depth: trees.depth, rtRoot: NO_HASH, rtUsers: 0n },
    assets: trees.heads().map(({ root }, index) => ({
      ...{ token: tokens[index] as Hex, root: `0x${Buffer.from(root).toString('hex')}` as const },
      ...nothing,
      ...unseen,
    })),
  }
}
