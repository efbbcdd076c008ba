import { releaseUid } from '../features/rich/release-uid.ts'
import { isPrintable, type OperatorCommand } from './command.ts'
import { withDatabase } from './open-books.ts'
import { requestAction } from './request-action.ts'

export const uids: OperatorCommand = {
  about: 'releases a UID of the upgrade hub from its account, so that another one can link it',
  words: 'release <uid> --reason <text> [--execute]',
  options: ['reason', 'execute'],
  async run({ words: [verb, uid = '', ...rest], json, execute, reason }) {
    if (verb !== 'release' || !/^\d{6,20}$/.test(uid) || rest.length > 0) return undefined
    if (!reason || !isPrintable(reason)) return undefined
    return withDatabase((db, site) =>
      requestAction(site, db, { action: releaseUid, payload: { uid }, args: { json, execute, reason } }),
    )
  },
}
