import { join } from 'node:path'
import { openLineLog, readLines } from './line-log.ts'
import type { VaultEvent } from './vault-keys.ts'

/** The stored events of the vaults, and up to which block those of each are complete. */
export interface EventStore {
  readonly events: readonly VaultEvent[]
  scannedTo(vault: string): bigint | undefined
  add(vault: string, events: readonly VaultEvent[], scannedTo: bigint): Promise<void>
  close(): Promise<void>
}

/** Without an event, the block is written after so many more, so that the file stays small. */
const NOTED_EVERY = 1_000n

/**
 * Opens `events.jsonl` of a folder.
 *
 * @param first the oldest vault, in lower case: lines of an earlier version name none.
 */
export async function openEventStore(folder: string, first: string): Promise<EventStore> {
  const path = join(folder, 'events.jsonl')
  const events: VaultEvent[] = []
  const scanned = new Map<string, bigint>()
  for (const text of await readLines(path)) {
    const { vault = first, events: found, scanned_to: to } = JSON.parse(text)
    for (const event of found) events.push({ ...event, vault })
    scanned.set(vault, BigInt(to))
  }
  const log = await openLineLog(path)
  const noted = new Map(scanned)
  return {
    events,
    scannedTo: (vault) => scanned.get(vault),
    async add(vault, found, to) {
      scanned.set(vault, to)
      const before = noted.get(vault)
      if (found.length === 0 && before !== undefined && to - before < NOTED_EVERY) return
      await log.append([{ scanned_to: `${to}`, vault, events: found.map(({ vault: _, ...event }) => event) }])
      events.push(...found)
      noted.set(vault, to)
    },
    close: () => log.close(),
  }
}
