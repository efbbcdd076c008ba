import { revokeSessions } from '../features/session/revoke-sessions.ts'
import { isPrintable, type OperatorCommand } from './command.ts'
import { withDatabase } from './open-books.ts'
import { readAddress } from './read-address.ts'
import { requestAction } from './request-action.ts'

export const sessions: OperatorCommand = {
  about: 'signs an account out on every device',
  words: 'revoke <address> --reason <text> [--execute]',
  options: ['reason', 'execute'],
  async run({ words: [verb, text = '', ...rest], json, execute, reason }) {
    const address = readAddress(text)
    if (verb !== 'revoke' || !address || rest.length > 0) return undefined
    if (!reason || !isPrintable(reason)) return undefined
    return withDatabase((db, site) =>
      requestAction(site, db, { action: revokeSessions, payload: { address }, args: { json, execute, reason } }),
    )
  },
}
