import { parseUnits } from '@clearwell/money/decimal'
import type { VaultReading } from '../../wallet/read-vault.ts'
import type { Reserves } from './proof.queries.ts'

/** Amounts are compared with this many decimals, which no asset exceeds. */
const DECIMALS = 18

/**
 * The outcome of the browser's own check.
 *
 * `confirmed`: same block, same balances, and they cover what is owed. `short`: the same balances, but they do not cover it.
 * `later`, `behind`: the node could only be read at another block, which confirms nothing.
 */
export type Verdict = 'confirmed' | 'short' | 'other_balances' | 'other_block' | 'later' | 'behind'

/** The three figures of one asset. */
export interface AssetComparison {
  readonly asset: string
  readonly owed: string
  readonly vault: string
  /** The browser's reading; `undefined` until there is one, or if the node reported none. */
  readonly read: string | undefined
  /** `read` minus `vault` in base units of 18 decimals; 0 without a reading. */
  readonly apart: bigint
  /** `vault` minus `owed`, in the same units. */
  readonly surplus: bigint
}

/** Puts the browser's reading beside the server's figures. */
export function compareAssets({ assets }: Reserves, reading: VaultReading | undefined): AssetComparison[] {
  return assets.map(({ asset, owed, vault }) => {
    const read = reading?.balances[asset]
    const apart = read === undefined ? 0n : units(read) - units(vault)
    return { asset, owed, vault, read, apart, surplus: units(vault) - units(owed) }
  })
}

/** Judges the reading. Only the block that the server named, with the hash that it named, can confirm anything. */
export function judge(reserves: Reserves, reading: VaultReading): Verdict {
  const { blockHash, readAt } = reading
  const block = reserves.block_number ?? 0
  if (blockHash !== null && blockHash !== reserves.block_hash) return 'other_block'
  if (readAt !== block) return readAt < block ? 'behind' : 'later'
  const compared = compareAssets(reserves, reading)
  if (compared.some(({ read, apart }) => read === undefined || apart !== 0n)) return 'other_balances'
  // Without figures there is nothing that the reading could confirm.
  return compared.length === 0 || compared.some(({ surplus }) => surplus < 0n) ? 'short' : 'confirmed'
}

/** @throws Error for text that is no amount: the server's response is then not what it promises. */
function units(text: string): bigint {
  const parsed = parseUnits(text, DECIMALS)
  if (parsed === undefined) throw new Error(`"${text}" is not an amount`)
  return parsed
}
