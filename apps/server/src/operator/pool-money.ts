import { configUnits } from '../config/fields.ts'
import { changeLiquidity } from '../features/swap/change-liquidity.ts'
import { openPoolByOperator } from '../features/swap/open-pool-by-operator.ts'
import { type Arguments, failure, isPrintable, type Outcome } from './command.ts'
import { withConfigFile, withDatabase } from './open-books.ts'
import { readAmount } from './read-amount.ts'
import { requestAction } from './request-action.ts'

/** `pools add-liquidity | remove-liquidity <id> <base amount>`. */
export async function movePoolLiquidity({ words, json, execute, reason }: Arguments): Promise<Outcome | undefined> {
  const [verb, id, text, ...rest] = words
  if (!id || !text || rest.length > 0 || !reason || !isPrintable(reason)) return undefined
  return withDatabase(async (db, site) => {
    const [pool] = await db.query<{ base: string }>('select base from swap_pools where id = $1', [id])
    if (!pool) return failure(`There is no open pool ${JSON.stringify(id)}.`)
    const amount = readAmount(pool.base, text)
    if (!amount) return failure(`"${text}" is not an amount of ${pool.base}.`)
    const direction = verb === 'add-liquidity' ? 'add' : 'remove'
    const payload = { pool: id, direction, base: String(amount.units) } as const
    return requestAction(site, db, { action: changeLiquidity, payload, args: { json, execute, reason } })
  })
}

/** `pools open <id>`: a pool that was added to the configuration file. */
export async function openConfiguredPool({ words, json, execute, reason }: Arguments): Promise<Outcome | undefined> {
  const [, id, ...rest] = words
  if (!id || rest.length > 0 || !reason || !isPrintable(reason)) return undefined
  return withConfigFile((config, db) => {
    const pool = config.swap.pools.find((each) => each.id === id)
    if (!pool) return Promise.resolve(failure(`The configuration file has no pool ${JSON.stringify(id)}.`))
    const { base, quote } = pool
    const initialBase = String(configUnits(pool.initialBase, base))
    const initialQuote = String(configUnits(pool.initialQuote, quote))
    const payload = { id, base, quote, initialBase, initialQuote }
    return requestAction(config, db, { action: openPoolByOperator, payload, args: { json, execute, reason } })
  })
}
