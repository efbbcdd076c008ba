import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { auditBooks } from '@clearwell/ledger/audit'
import type { Database } from '@clearwell/ledger/database'
import { ConfigError } from '@clearwell/server/src/config/config-error.ts'
import type { ActivitySize } from './activity-plan.ts'
import { type ActivityContext, simulateActivity } from './simulate-activity.ts'

/** One line of progress covers so many days. */
const DAYS_PER_LINE = 5

/** The record of demo data in the data folder. */
interface DemoRecord extends ActivitySize {
  readonly from: string
  readonly isDone: boolean
}

export interface DemoDependencies extends ActivityContext {
  readonly db: Database
  readonly dataDir: string
  /** Has the arbitrageur join, which keeps the pools near the market. */
  readonly joinTrader: () => Promise<void>
  /** Compares the ledger with the vault, to the unit. @returns the faults. */
  readonly findFaults: () => Promise<readonly string[]>
  readonly onProgress: (stage: string) => void
}

/**
 * Fills a new ledger with the past of simulated users, up to now, and checks the books. A start that was interrupted
 * continues, and complete demo data stays unchanged.
 *
 * @throws ConfigError for a ledger that already has other entries.
 */
export async function fillDemo(deps: DemoDependencies, size: ActivitySize): Promise<void> {
  const { clock, dataDir, onProgress } = deps
  const file = join(dataDir, 'demo.json')
  const known = await readRecord(file)
  if (known?.isDone) return
  if (!known && clock.behindMs === 0)
    throw new ConfigError(
      'Demo data needs a new ledger, and this one has entries already. Set DATA_DIR to an empty folder, or start without --demo.',
    )
  const record = known ?? { ...size, from: clock.now().toISOString(), isDone: false }
  await writeRecord(file, record)
  const { users, days } = record
  await deps.joinTrader()
  onProgress(`filling in simulated activity: ${users} users, ${days} days`)
  const made = await simulateActivity(deps, {
    ...record,
    from: new Date(record.from),
    hasVisitor: true,
    onDay({ day, users: joined, swaps }) {
      if (day % DAYS_PER_LINE === 0) onProgress(`day ${day} of ${days}: ${joined} users, ${swaps} swaps`)
    },
  })
  // Real time has passed since the beginning.
  await clock.advance(clock.behindMs)
  await deps.moveChain()
  await deps.runDue()
  onProgress('checking the books against the vault')
  const faults = [...(await auditBooks(deps.db)), ...(await deps.findFaults())]
  if (faults.length > 0) throw new Error(`the demo data is wrong:\n${faults.join('\n')}`)
  await writeRecord(file, { ...record, isDone: true })
  onProgress(`${made.users} simulated users and ${made.swaps} swaps; the vault holds what the ledger owes`)
}

/** Returns whether the data folder has complete demo data. */
export async function hasDemo(dataDir: string): Promise<boolean> {
  return (await readRecord(join(dataDir, 'demo.json')))?.isDone === true
}

async function readRecord(file: string): Promise<DemoRecord | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text)
}

async function writeRecord(file: string, record: DemoRecord): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(record))
  await rename(`${file}.new`, file)
}
