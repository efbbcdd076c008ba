import type { Queryable } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { readTip } from '@clearwell/ledger/reads'
import type { AssetId } from '@clearwell/money/asset'
import type { Chain, ChainBlock } from '../chain/chain.ts'
import { VAULT } from '../ledger/accounts.ts'
import { readCursor } from './chain-cursors.ts'

/** The assets that the vault holds. RT exists only in the ledger. */
export const VAULT_ASSETS = ['BNB', 'USDT', 'ETH'] as const satisfies readonly AssetId[]
export type VaultAsset = (typeof VAULT_ASSETS)[number]

/** A consistent read of the ledger's totals for the vault, and the block that they correspond to. */
export interface VaultBooks {
  readonly cursor: ChainBlock
  /** The last entry. */
  readonly tipSeq: bigint
  /** Its hash, in hex. */
  readonly tipHash: string
  /** Minus the balance of `vault`: the total of all other accounts. */
  readonly owed: Readonly<Record<VaultAsset, bigint>>
}

/** The chain's responses were inconsistent, so the vault's holding is unknown. */
export class ChainUnclear extends Error {
  override readonly name = 'ChainUnclear'
}

/**
 * Reads the books of the vault. Credits, payouts and the cursor are written atomically, so they correspond to the cursor's
 * block.
 *
 * @param tx sees one moment, as {@link readOneMoment} does.
 * @returns `undefined` while the watcher has not read a block yet.
 */
export async function readVaultBooks(tx: Queryable, chainId: number): Promise<VaultBooks | undefined> {
  const cursor = await readCursor(tx, chainId)
  if (!cursor) return undefined
  const { seq: tipSeq, hash: tipHash } = await readTip(tx)
  const balances = await readBalances(tx, [VAULT])
  const owedOf = (asset: VaultAsset) => -(balances.find((row) => row.asset === asset)?.units ?? 0n)
  return {
    cursor,
    tipSeq,
    tipHash: Buffer.from(tipHash).toString('hex'),
    owed: { BNB: owedOf('BNB'), USDT: owedOf('USDT'), ETH: owedOf('ETH') },
  }
}

/**
 * Reads the vault's holding at exactly the block of the books.
 *
 * @throws ChainUnclear when the chain has another block there, before or after the read: the watcher reports that.
 * @throws the errors of the node's client when the node is unreachable.
 */
export async function readVaultHolding(
  chain: Pick<Chain, 'block' | 'vaultHolding'>,
  { number, hash }: Pick<ChainBlock, 'number' | 'hash'>,
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
  // A balance is read by block number, so it belongs to this block only if the chain still has it.
  await expectBlock()
  return { BNB, USDT, ETH }
}
