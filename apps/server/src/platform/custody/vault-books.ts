import type { Queryable } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { readTip } from '@clearwell/ledger/reads'
import type { AssetId } from '@clearwell/money/asset'
import type { Chain } from '../chain/chain.ts'
import { VAULT } from '../ledger/accounts.ts'
import { readCursor } from './chain-cursors.ts'

/** What the vault has to hold. RT lives in the ledger only. */
export const VAULT_ASSETS = ['BNB', 'USDT', 'ETH'] as const satisfies readonly AssetId[]
export type VaultAsset = (typeof VAULT_ASSETS)[number]

/** What the ledger says of the vault, all of one moment, and the block that this is the state of. */
export interface VaultBooks {
  readonly cursor: { readonly number: bigint; readonly hash: string }
  /** The last entry. */
  readonly tipSeq: bigint
  /** Minus the balance of `vault`: what all others hold. */
  readonly owed: Readonly<Record<VaultAsset, bigint>>
}

/** The chain's answers did not fit together, so they say nothing of what the vault holds. */
export class ChainUnclear extends Error {
  override readonly name = 'ChainUnclear'
}

/**
 * Reads the books of the vault. Credits, payments out and the cursor are written together, so they are the state of the
 * cursor's block.
 *
 * @param tx sees one moment, as {@link readOneMoment} does.
 * @returns `undefined` while the watcher has not read a block yet.
 */
export async function readVaultBooks(tx: Queryable, chainId: number): Promise<VaultBooks | undefined> {
  const cursor = await readCursor(tx, chainId)
  if (!cursor) return undefined
  const { seq: tipSeq } = await readTip(tx)
  const balances = await readBalances(tx, [VAULT])
  const owedOf = (asset: VaultAsset) => -(balances.find((row) => row.asset === asset)?.units ?? 0n)
  return {
    cursor: { number: cursor.number, hash: cursor.hash },
    tipSeq,
    owed: { BNB: owedOf('BNB'), USDT: owedOf('USDT'), ETH: owedOf('ETH') },
  }
}

/**
 * What the vault held at exactly the block of the books.
 *
 * @throws ChainUnclear when the chain has another block there, before or after it was asked: the watcher tells of that.
 * @throws whatever the node's client throws when it cannot be reached.
 */
export async function readVaultHolding(
  chain: Pick<Chain, 'block' | 'vaultHolding'>,
  { number, hash }: VaultBooks['cursor'],
): Promise<Readonly<Record<VaultAsset, bigint>>> {
  const expectBlock = async () => {
    const block = await chain.block(number)
    if (block?.hash !== hash)
      throw new ChainUnclear(`block ${number} is ${block?.hash ?? 'not there'} on the chain, and ${hash} in the books`)
  }
  await expectBlock()
  const [BNB, USDT, ETH] = await Promise.all([
    chain.vaultHolding('BNB', number),
    chain.vaultHolding('USDT', number),
    chain.vaultHolding('ETH', number),
  ])
  // A balance is asked for by the block's number, so it is this block's only if the chain has it still.
  await expectBlock()
  return { BNB, USDT, ETH }
}
