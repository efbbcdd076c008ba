import type { Command } from '@clearwell/ledger/command'
import type { Writer } from '@clearwell/ledger/writer'
import { lendingPools } from '../../domain/lending/lending.tables.ts'
import { poolKeys, readPool, writePool } from '../../domain/lending/lending-books.ts'
import type { LendingRules } from '../../domain/lending/lending-parameters.ts'

/**
 * Sets the rate of each pool to the curve that is in force. Every command on a pool does so too; this one is for the moment at which
 * parameters take effect, so that no pool waits for its next command.
 */
function repricePools(rules: LendingRules): Command<{ repriced: number }> {
  return {
    kind: 'reprice_pools',
    owner: 'stake',
    payload: {},
    preload: rules.pools.flatMap(({ asset }) => poolKeys(asset)),
    decide(state, { now }) {
      const used = rules.pools.filter(({ asset }) => state.row(lendingPools, asset))
      const rows = used.map((pool) => writePool(pool, readPool(state, pool.asset, now)))
      return { rows, response: { repriced: rows.length } }
    },
  }
}

/** Reprices the pools once for each set of parameters, and once after each start. */
export function createPoolPricing({ writer }: { readonly writer: Pick<Writer, 'execute'> }) {
  let version: number | undefined
  return {
    async check(rules: LendingRules): Promise<void> {
      if (rules.version === version) return
      await writer.execute(repricePools(rules))
      version = rules.version
    },
  }
}
