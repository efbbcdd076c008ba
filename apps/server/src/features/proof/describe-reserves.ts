import type { ResponseOf } from '@clearwell/api/routes'
import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import type { ReserveCheck } from '../../platform/custody/reserve-checks.ts'

type Reserves = ResponseOf<'proofReserves'>

const UNCHECKED: Reserves = {
  assets: [],
  block_number: null,
  block_hash: null,
  block_time: null,
  ledger_seq: null,
  entry_hash: null,
  checked_at: null,
  age_seconds: null,
  healthy: null,
  fault: null,
}

/**
 * The response of `proof/reserves` for the last check.
 *
 * `owed` is minus the balance of `vault` in the ledger, so the total of all other accounts. The ledger books payments only
 * up to the watcher's block, in the same transaction as the cursor. Therefore `owed` belongs to exactly that block:
 * payments after it are in neither figure, and the amount of a voucher that the vault has not paid by then is in both. A
 * difference above zero is money that reached the vault without being booked; below zero, money is missing.
 *
 * @param check `undefined` before the first: every field is then null.
 */
export function describeReserves(
  check: ReserveCheck | undefined,
  { now, maxAgeMs }: { readonly now: Date; readonly maxAgeMs: number },
): Reserves {
  if (!check) return UNCHECKED
  const { checkedAt, block, entry, figures, fault } = check
  const ageMs = Math.max(0, now.getTime() - checkedAt.getTime())
  return {
    assets: figures.map(({ asset, vault, owed }) => {
      const text = (units: bigint) => formatUnits(units, ASSET_DECIMALS[asset])
      return { asset, vault: text(vault), owed: text(owed), difference: text(vault - owed) }
    }),
    block_number: Number(block.number),
    block_hash: block.hash,
    block_time: block.time.toISOString(),
    ledger_seq: Number(entry.seq),
    entry_hash: entry.hash,
    checked_at: checkedAt.toISOString(),
    age_seconds: Math.floor(ageMs / 1_000),
    healthy: ageMs > maxAgeMs ? null : fault === undefined,
    fault: fault ?? null,
  }
}
