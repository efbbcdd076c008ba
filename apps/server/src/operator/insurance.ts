import { INSURANCE, TREASURY } from '../platform/ledger/accounts.ts'
import { moveFunds } from '../platform/operator/move-funds.ts'
import { isPrintable, type OperatorCommand } from './command.ts'
import { withDatabase } from './open-books.ts'
import { readAmount } from './read-amount.ts'
import { requestAction } from './request-action.ts'

export const insurance: OperatorCommand = {
  about: 'moves money from the treasury to the insurance fund',
  words: 'fund <asset> <amount> --reason <text> [--execute]',
  options: ['reason', 'execute'],
  async run({ words, json, execute, reason }) {
    const [verb, asset, text, ...rest] = words
    const amount = readAmount(asset, text)
    if (verb !== 'fund' || !amount || rest.length > 0 || !reason || !isPrintable(reason)) return undefined
    const payload = { from: TREASURY, to: INSURANCE, asset: amount.asset, units: String(amount.units) } as const
    return withDatabase((db, site) =>
      requestAction(site, db, { action: moveFunds, payload, args: { json, execute, reason } }),
    )
  },
}
