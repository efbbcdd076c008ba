import { transfer } from '@clearwell/ledger/transfer'
import { formatAmount } from '@clearwell/money/amount'
import { mulDiv } from '@clearwell/money/mul-div'
import * as z from 'zod/mini'
import { poolAccount, TREASURY } from '../../platform/ledger/accounts.ts'
import { defineOperatorAction, type OperatorResult } from '../../platform/operator/operator-action.ts'
import { swapPools } from './swap.tables.ts'

const payload = z.strictObject({
  pool: z.string(),
  direction: z.enum(['add', 'remove']),
  /** Base units of the pool's base asset. The amount of the other asset follows from the reserves. */
  base: z.string().check(z.regex(/^[1-9]\d*$/)),
})

/**
 * Moves liquidity between the treasury and a pool, in the ratio of the reserves, so that the price stays. The other asset's
 * amount is rounded in favour of the pool.
 */
export const changeLiquidity = defineOperatorAction({
  kind: 'change_liquidity',
  role: 'treasurer',
  payload,
  preload: ({ pool }) => [{ table: swapPools, id: pool }],
  decide(draft, _context, { pool: id, direction, base: text }) {
    const pool = draft.row(swapPools, id)
    if (!pool) return notDone(`There is no open pool ${JSON.stringify(id)}.`)
    const account = poolAccount(id)
    const { base, quote } = pool
    const baseUnits = BigInt(text)
    const reserves = { base: draft.balance(account, base), quote: draft.balance(account, quote) }
    const isAdded = direction === 'add'
    const quoteUnits = mulDiv(baseUnits, reserves.quote, reserves.base, isAdded ? 'up' : 'down')
    if (quoteUnits === 0n) return notDone('The amount is too small for the ratio of the pool.')
    if (!isAdded && baseUnits >= reserves.base)
      return notDone(
        `The pool has only ${formatAmount({ asset: base, units: reserves.base })} ${base}, and must keep some.`,
      )
    const moved = [
      { asset: base, units: baseUnits },
      { asset: quote, units: quoteUnits },
    ]
    const short = isAdded ? moved.find(({ asset, units }) => draft.balance(TREASURY, asset) < units) : undefined
    if (short) {
      const held = formatAmount({ asset: short.asset, units: draft.balance(TREASURY, short.asset) })
      return notDone(`The treasury has only ${held} ${short.asset}, and ${formatAmount(short)} are needed.`)
    }
    const [from, to] = isAdded ? [TREASURY, account] : [account, TREASURY]
    const postings = moved.flatMap(({ asset, units }) => transfer({ from, to, asset, units }))
    draft.add({ entries: [{ kind: 'pool_liquidity', reference: id, postings }] })
    const amounts = moved.map((each) => `${formatAmount(each)} ${each.asset}`).join(' and ')
    return { isDone: true, text: `${amounts} ${isAdded ? 'added to' : 'removed from'} ${id}.` }
  },
})

function notDone(text: string): OperatorResult {
  return { isDone: false, text }
}
