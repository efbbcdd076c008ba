import { open } from 'node:fs/promises'
import { readOneMoment } from '@clearwell/ledger/reads'
import { exportLedger } from '../domain/proofs/export-ledger.ts'
import { proofTokens } from '../domain/proofs/proof-tokens.ts'
import type { OperatorCommand } from './command.ts'
import { withChain, withConfigFile } from './open-books.ts'

export const exportBooks: OperatorCommand = {
  about:
    'writes the whole ledger with its places, counters and headers into a new file, for `clearwell-verify ledger`. The file names every account, and its salts let its reader recognize each leaf: keep it secret',
  words: '<file>',
  async run({ words: [path, ...rest], json }) {
    if (path === undefined || rest.length > 0) return undefined
    return withConfigFile((config, db) =>
      withChain(
        config,
        db,
        () => {},
        async (_chain, custody) => {
          const { vault, operator } = custody
          const head = { chainId: config.chain.id, vault, operator, tokens: proofTokens(custody) }
          // Readable by its owner alone, and never over another file.
          const file = await open(path, 'wx', 0o600)
          let lines = 0
          try {
            await readOneMoment(db, async (tx) => {
              for await (const line of exportLedger(tx, head)) {
                await file.write(line)
                lines += 1
              }
            })
          } finally {
            await file.close()
          }
          const text = json
            ? JSON.stringify({ path, lines }, null, 2)
            : `${lines} lines are in ${path}. Check them with clearwell-verify ledger ${path}`
          return { text, faults: [], exitCode: 0 }
        },
      ),
    )
  },
}
