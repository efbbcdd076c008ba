import { join } from 'node:path'
import { openLineLog, readLines } from './line-log.ts'
import type { VaultEvent } from './vault-keys.ts'

/** The stored events of the vault, and up to which block they are complete. */
export interface EventStore {
  readonly events: readonly VaultEvent[]
  readonly scannedTo: bigint | undefined
  add(events: readonly VaultEvent[], scannedTo: bigint): Promise<void>
  close(): Promise<void>
}

/** Without an event, the block is written after so many more, so that the file stays small. */
const NOTED_EVERY = 1_000n

/** Opens `events.jsonl` of a folder. */
export async function openEventStore(folder: string): Promise<EventStore> {
  const path = join(folder, 'events.jsonl')
  const events: VaultEvent[] = []
  let scannedTo: bigint | undefined
  for (const text of await readLines(path)) {
    const value = JSON.parse(text)
    for (const event of value.events) events.push(event)
    scannedTo = BigInt(value.scanned_to)
  }
  const log = await openLineLog(path)
  let noted = scannedTo
  return {
    events,
    get scannedTo() {
      return scannedTo
    },
    async add(found, to) {
      scannedTo = to
      if (found.length === 0 && noted !== undefined && to - noted < NOTED_EVERY) return
      await log.append([{ scanned_to: `${to}`, events: found }])
      events.push(...found)
      noted = to
    },
    close: () => log.close(),
  }
}
