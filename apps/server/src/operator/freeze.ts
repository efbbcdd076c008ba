import { freezeAccount, unfreezeAccount } from '../features/session/freeze-account.ts'
import { isPrintable, type OperatorCommand } from './command.ts'
import { withDatabase } from './open-books.ts'
import { readAddress } from './read-address.ts'
import { requestAction } from './request-action.ts'

export const freeze = commandOf(
  freezeAccount,
  'stops an account for 14 days, or renews that: it can only repay, add collateral, transfer in and cancel plans; the user sees the reason',
)

export const unfreeze = commandOf(unfreezeAccount, 'ends the freeze of an account; the user sees the reason')

function commandOf(action: typeof freezeAccount, about: string): OperatorCommand {
  return {
    about,
    words: '<address> --reason <text> [--execute]',
    options: ['reason', 'execute'],
    async run({ words: [text = '', ...rest], json, execute, reason }) {
      const address = readAddress(text)
      if (!address || rest.length > 0 || !reason || !isPrintable(reason)) return undefined
      return withDatabase((db, site) =>
        requestAction(site, db, { action, payload: { address }, args: { json, execute, reason } }),
      )
    },
  }
}
