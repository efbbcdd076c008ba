import { auditBooks } from '@clearwell/ledger/audit'
import { ConfigError, loadConfig } from './config/config.ts'
import { DataFolderInUse, lockDataFolder } from './database/data-folder-lock.ts'
import { openDatabase } from './database/open-database.ts'

/** `npm run operator -- <command>`: the operator's side, on the server's own machine. */
const COMMANDS: Readonly<Record<string, { about: string; run: () => Promise<number> }>> = {
  audit: { about: 'reads the whole ledger and says what is wrong with it', run: audit },
}

async function audit(): Promise<number> {
  const { env } = await loadConfig(process.env)
  const unlock = env.databaseUrl ? async () => {} : await lockDataFolder(env.dataDir)
  const db = await openDatabase(env, () => {})
  try {
    const faults = await auditBooks(db)
    const [count] = await db.query<{ count: bigint }>('select count(*) as count from entries')
    for (const fault of faults) console.error(fault)
    console.log(`${count?.count ?? 0n} entries read, ${faults.length} faults`)
    return faults.length === 0 ? 0 : 1
  } finally {
    await db.close()
    await unlock()
  }
}

const name = process.argv[2] ?? ''
const command = COMMANDS[name]
try {
  if (command) process.exitCode = await command.run()
  else {
    for (const [each, { about }] of Object.entries(COMMANDS)) console.error(`npm run operator -- ${each}: ${about}`)
    process.exitCode = 2
  }
} catch (error) {
  if (!(error instanceof ConfigError) && !(error instanceof DataFolderInUse)) throw error
  console.error(error.message)
  process.exitCode = 1
}
