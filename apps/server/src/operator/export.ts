import { open } from 'node:fs/promises'
import { readEntryHash, readOneMoment } from '@clearwell/ledger/reads'
import { exportLedger } from '../domain/proofs/export-ledger.ts'
import { proofTokens } from '../domain/proofs/proof-tokens.ts'
import { failure, type OperatorCommand } from './command.ts'
import { withChain, withConfigFile } from './open-books.ts'

export const exportBooks: OperatorCommand = {
  about:
    'writes the whole ledger with its places, counters and headers into a new file, for `clearwell-verify ledger`. The file names every account, and its salts let its reader recognize each leaf: keep it secret. With --from, the entries from that one on: the archives of those before belong to it',
  options: ['from'],
  words: '<file>',
  async run({ words: [path, ...rest], json, from = '1' }) {
    if (path === undefined || rest.length > 0 || !/^[1-9]\d{0,17}$/.test(from)) return undefined
    return withConfigFile((config, db) =>
      withChain(
        config,
        db,
        () => {},
        async (_chain, custody) => {
          const after = BigInt(from) - 1n
          if ((await readEntryHash(db, after)) === undefined) return failure(`The ledger has no entry ${after}.`)
          const { vault, operator } = custody
          const head = { chainId: config.chain.id, vault, operator, tokens: proofTokens(custody) }
          // Readable by its owner alone, and never over another file.
          const file = await open(path, 'wx', 0o600)
          let lines = 0
          try {
            await readOneMoment(db, async (tx) => {
              for await (const line of exportLedger(tx, head, BigInt(from))) {
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
