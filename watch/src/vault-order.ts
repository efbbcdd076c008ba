import { hashHeader } from '@clearwell/verify/hash-header'
import type { Hex } from 'viem'
import type { HeaderFields, HeaderLine } from './header-lines.ts'
import type { VaultFacts } from './judge-vault.ts'

/** The vaults of a ledger, oldest first: it moves from each to the next, and never back. */
export interface VaultOrder {
  readonly chainId: number
  /** In lower case. */
  readonly vaults: readonly Hex[]
}

/**
 * Finds the vault of a header: the address is part of the hash.
 *
 * @param first is tried before the others
 * @returns its index; `undefined` for a header of none of them, or without fields
 */
export function vaultOfHeader(line: HeaderLine, order: VaultOrder, first = 0): number | undefined {
  const { signed, hash } = line
  if (!signed) return undefined
  const isOf = (index: number) => hashFor(signed.fields, order, index) === hash
  if (isOf(first)) return first
  const index = order.vaults.findIndex((_, each) => each !== first && isOf(each))
  return index < 0 ? undefined : index
}

/** Returns the hash that a header has for a vault; `undefined` if a field is larger than its type. */
export function hashFor(fields: HeaderFields, { chainId, vaults }: VaultOrder, index: number): string | undefined {
  try {
    return hashHeader(fields as never, { chainId, verifyingContract: vaults[index] as Hex })
  } catch {
    return undefined
  }
}

/**
 * Returns the index of the vault that the ledger is at: the newest one with a root, or that a header is of, or that an earlier one has paid
 * its money to. A vault that is given before the move is not in use yet.
 *
 * @param ofHeader the vault of the newest stored header
 */
export function currentVault(
  vaults: readonly Pick<VaultFacts, 'movedAt' | 'newest'>[],
  ofHeader: number | undefined,
): number {
  const isUsed = (index: number) =>
    index === ofHeader || vaults[index]?.newest.seq !== 0 || (vaults[index - 1]?.movedAt ?? 0) !== 0
  return Math.max(
    0,
    vaults.findLastIndex((_, index) => isUsed(index)),
  )
}
