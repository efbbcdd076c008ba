import type { Database } from '@clearwell/ledger/database'
import { freezeAccount, freezeInput, unfreezeAccount } from '../features/session/freeze-account.ts'
import type { OperatorAction } from '../platform/operator/operator-action.ts'
import { isPrintable, type OperatorCommand } from './command.ts'
import { openOperatorClock } from './execute-request.ts'
import { withDatabase } from './open-books.ts'
import { readAddress } from './read-address.ts'
import { requestAction } from './request-action.ts'

export const freeze = commandOf(
  freezeAccount,
  'stops an account for 14 days: it can only repay, add collateral, transfer in and cancel plans; the user sees the reason. Renewing a freeze, and a new one within 30 days, take a second person',
  freezeInput,
)

export const unfreeze = commandOf(
  unfreezeAccount,
  'ends the freeze of an account; the user sees the reason',
  async (_db, address) => ({ address }),
)

function commandOf<Payload>(
  action: OperatorAction<Payload>,
  about: string,
  inputOf: (db: Database, address: string, now: Date) => Promise<Payload>,
): OperatorCommand {
  return {
    about,
    words: '<address> --reason <text> [--execute]',
    options: ['reason', 'execute'],
    async run({ words: [text = '', ...rest], json, execute, reason }) {
      const address = readAddress(text)
      if (!address || rest.length > 0 || !reason || !isPrintable(reason)) return undefined
      return withDatabase(async (db, site) => {
        const { now } = await openOperatorClock(site, db)
        const payload = await inputOf(db, address, now())
        return requestAction(site, db, { action, payload, args: { json, execute, reason } })
      })
    },
  }
}
