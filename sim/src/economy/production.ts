import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AssetId } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import type { PoolDefinition } from '@clearwell/server/src/features/swap/open-pool.ts'

/** The operator's configuration of production. */
export const PRODUCTION = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@clearwell/server/config/production.json'), 'utf8'),
) as typeof import('@clearwell/server/config/production.json')

/** An amount from text, in base units: every asset has 18 decimals. */
export function units(text: string): bigint {
  const parsed = parseUnits(text, 18)
  if (parsed === undefined) throw new RangeError(`${text} is no amount`)
  return parsed
}

export const POOLS: readonly PoolDefinition[] = PRODUCTION.swap.pools.map(
  ({ id, base, quote, initialBase, initialQuote }) => ({
    id,
    base: base as AssetId,
    quote: quote as AssetId,
    initialBase: units(initialBase),
    initialQuote: units(initialQuote),
  }),
)
