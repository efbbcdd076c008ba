import * as z from 'zod/mini'
import { TREASURY } from '../../platform/ledger/accounts.ts'
import { defineOperatorAction } from '../../platform/operator/operator-action.ts'
import { openPool } from './open-pool.ts'
import { swapPools } from './swap.tables.ts'

const asset = z.enum(['BNB', 'USDT', 'ETH', 'RT'])
const units = z.string().check(z.regex(/^[1-9]\d*$/))

const payload = z.strictObject({ id: z.string(), base: asset, quote: asset, initialBase: units, initialQuote: units })

/** Opens a pool of the configuration file while servers run, with liquidity from the treasury. */
export const openPoolByOperator = defineOperatorAction({
  kind: 'open_pool',
  role: 'treasurer',
  payload,
  preload: ({ id, base, quote }) => [
    { table: swapPools, id },
    { account: TREASURY, asset: base },
    { account: TREASURY, asset: quote },
  ],
  decide(draft, context, { initialBase, initialQuote, ...pool }) {
    if (draft.row(swapPools, pool.id)) return { isDone: false, text: `${pool.id} is open already.` }
    const definition = { ...pool, initialBase: BigInt(initialBase), initialQuote: BigInt(initialQuote) }
    const { response: opened, ...plan } = openPool(definition).decide(draft, context)
    if (!opened.open) return { isDone: false, text: `The treasury does not have the initial liquidity of ${pool.id}.` }
    draft.add(plan)
    return { isDone: true, text: `${pool.id} is open.` }
  },
})
