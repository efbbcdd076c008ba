import { revokeSessions } from '../features/session/revoke-sessions.ts'
import { isPrintable, type OperatorCommand } from './command.ts'
import { withLedger } from './open-books.ts'
import { requestAction } from './request-action.ts'

export const sessions: OperatorCommand = {
  about: 'signs an account out on every device',
  words: 'revoke <address> --reason <text> [--execute]',
  options: ['reason', 'execute'],
  async run({ words: [verb, address = '', ...rest], json, execute, reason }) {
    if (verb !== 'revoke' || !/^0x[0-9a-fA-F]{40}$/.test(address) || rest.length > 0) return undefined
    if (!reason || !isPrintable(reason)) return undefined
    const payload = { address: address.toLowerCase() }
    return withLedger((config, db) =>
      requestAction(config, db, { action: revokeSessions, payload, args: { json, execute, reason } }),
    )
  },
}
