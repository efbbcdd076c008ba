import type { Hex } from 'viem'
import type { OperatorCommand } from './command.ts'
import { findTransaction } from './find-transaction.ts'
import { withConfigFile, withConfiguredVault } from './open-books.ts'

export const tx: OperatorCommand = {
  about:
    'says where a transaction is: unseen, pool, failed, confirming (with the count), unread, credited, taken back, stranded, paid out, unknown or other',
  words: '<transaction hash>',
  async run({ words: [hash = '', ...rest], json }) {
    if (!/^0x[0-9a-fA-F]{64}$/.test(hash) || rest.length > 0) return undefined
    return withConfigFile((config, db) =>
      withConfiguredVault(
        config,
        db,
        () => {},
        async ({ chain, client }) => {
          const { confirmations } = config.chain
          const found = await findTransaction({ db, chain, client, confirmations }, hash.toLowerCase() as Hex)
          const text = json ? JSON.stringify(found, null, 2) : `${found.state}: ${found.text}`
          return { text, faults: [], exitCode: 0 }
        },
      ),
    )
  },
}
