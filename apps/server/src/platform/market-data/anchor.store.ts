import type { Database } from '@clearwell/ledger/database'
import type { AnchorStore } from './simulated-source.ts'

/** Keeps the prices that were set by hand in the local profile. */
export function createAnchorStore(db: Database): AnchorStore {
  return {
    async load() {
      const rows = await db.query<{ symbol: string; anchor_e18: bigint }>(
        'select symbol, anchor_e18 from simulated_prices',
      )
      return new Map(rows.map((row) => [row.symbol, row.anchor_e18]))
    },
    async save(symbol, anchorE18) {
      await db.query(
        `insert into simulated_prices (symbol, anchor_e18) values ($1, $2::numeric)
         on conflict (symbol) do update set anchor_e18 = excluded.anchor_e18`,
        [symbol, anchorE18.toString()],
      )
    },
  }
}
