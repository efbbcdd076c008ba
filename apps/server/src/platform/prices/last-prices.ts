import type { Database } from '@clearwell/ledger/database'
import { column, defineTable, forever } from '@clearwell/ledger/table'

export const lastPrices = defineTable('last_prices', forever('one row for each symbol of the spot market'), {
  symbol: column.text,
  price_e18: column.units,
  at: column.time,
})

/** A price that money could use: half-way between two sources, E18. */
export interface LastPrice {
  readonly meanE18: bigint
  readonly time: Date
}

/** The last price of each symbol that money could use, also across a restart: a known loss is reckoned by it. */
export interface LastPrices {
  of(symbol: string): LastPrice | undefined
  /** Remembers a price, in memory. */
  note(symbol: string, price: LastPrice): void
  /** Stores what has changed since the last time. Only the leader calls it. */
  save(): Promise<void>
}

export async function openLastPrices(db: Database): Promise<LastPrices> {
  const rows = await db.query<{ symbol: string; price_e18: bigint; at: Date }>(
    'select symbol, price_e18, at from last_prices',
  )
  const known = new Map(rows.map((row): [string, LastPrice] => [row.symbol, { meanE18: row.price_e18, time: row.at }]))
  const changed = new Set<string>()

  return {
    of: (symbol) => known.get(symbol),
    note(symbol, { meanE18, time }) {
      const held = known.get(symbol)
      if (held && held.time >= time) return
      known.set(symbol, { meanE18, time })
      changed.add(symbol)
    },
    async save() {
      for (const symbol of [...changed]) {
        const { meanE18, time } = known.get(symbol) as LastPrice
        await db.query(
          `insert into last_prices (symbol, price_e18, at) values ($1, $2::numeric, $3)
           on conflict (symbol) do update set price_e18 = excluded.price_e18, at = excluded.at
           where last_prices.at < excluded.at`,
          [symbol, meanE18.toString(), time],
        )
        changed.delete(symbol)
      }
    },
  }
}
