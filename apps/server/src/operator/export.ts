import { open } from 'node:fs/promises'
import { EntriesArchived, readArchives, requireEntriesAfter } from '@clearwell/ledger/archives'
import type { Database } from '@clearwell/ledger/database'
import { readEntryHash, readOneMoment } from '@clearwell/ledger/reads'
import { exportLedger } from '../domain/proofs/export-ledger.ts'
import { proofTokens } from '../domain/proofs/proof-tokens.ts'
import { failure, type OperatorCommand } from './command.ts'
import { withChain, withConfigFile } from './open-books.ts'

export const exportBooks: OperatorCommand = {
  about:
    'writes the whole ledger with its places, counters and headers into a new file, for `clearwell-verify ledger`. The file names every account, and its salts let its reader recognize each leaf: keep it secret. With --from, the entries from that one on: the archives of those before belong to it. Without, it begins after the archives that are detached',
  options: ['from'],
  words: '<file>',
  async run({ words: [path, ...rest], json, from }) {
    if (path === undefined || rest.length > 0 || (from !== undefined && !/^[1-9]\d{0,17}$/.test(from))) return undefined
    return withConfigFile((config, db) =>
      withChain(
        config,
        db,
        () => {},
        async (_chain, custody) => {
          const archives = await readArchives(db)
          const first = from === undefined ? (archives.at(-1)?.last ?? 0n) + 1n : BigInt(from)
          const fault = await faultOf(db, first - 1n)
          if (fault !== undefined) return failure(fault)
          const { vault, operator } = custody
          const head = { chainId: config.chain.id, vault, operator, tokens: proofTokens(custody) }
          // Readable by its owner alone, and never over another file.
          const file = await open(path, 'wx', 0o600)
          let lines = 0
          try {
            await readOneMoment(db, async (tx) => {
              for await (const line of exportLedger(tx, head, first)) {
                await file.write(line)
                lines += 1
              }
            })
          } finally {
            await file.close()
          }
          const before = archives.filter(({ last }) => last < first).map(({ file }) => file)
          const text = json
            ? JSON.stringify({ path, lines }, null, 2)
            : `${lines} lines are in ${path}. Check them with clearwell-verify ledger ${[...before, path].join(' ')}`
          return { text, faults: [], exitCode: 0 }
        },
      ),
    )
  },
}

/** The reason why no export can follow an entry. */
async function faultOf(db: Database, after: bigint): Promise<string | undefined> {
  try {
    await requireEntriesAfter(db, after)
  } catch (error) {
    if (error instanceof EntriesArchived) return `${error.message} Leave out --from, or begin after them.`
    throw error
  }
  return (await readEntryHash(db, after)) === undefined ? `The ledger has no entry ${after}.` : undefined
}
