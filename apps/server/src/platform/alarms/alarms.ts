import { repeat } from '../time/repeat.ts'
import type { AlarmRow, AlarmStore } from './alarm.store.ts'
import type { AlarmKind } from './alarm-kinds.ts'

/** How long an alarm waits for others before it is stored, and before it is tried again. */
const GAP_MS = 1_000
/** How often standing conditions are looked at. */
const EVERY_MS = 30_000
/** Different alarms that wait to be stored. Beyond it, further ones of a kind count as one. */
const MAX_WAITING = 100
const MAX_SUBJECT = 200
const MAX_MESSAGE = 1_000
const MANY = 'many different messages'

/** A condition that goes on: its alarm is raised again at each check, so that `last_at` shows that it still holds. */
export type Standing = () => Alarm | undefined | Promise<Alarm | undefined>

interface Alarm {
  readonly kind: AlarmKind
  readonly message: string
}

export interface RaisedAlarm extends Alarm {
  /** The message without figures: repetitions of one alarm have the same. */
  readonly subject: string
  readonly at: Date
}

export interface Alarms {
  /** Counts the alarm and stores it soon. Never throws and never waits. */
  raise(kind: AlarmKind, message: string): void
  /** Adds a condition to check. */
  watch(standing: Standing): void
  /** Begins to store the alarms, the earlier ones included. */
  start(store: Pick<AlarmStore, 'add'>): void
  /** Stores what is left. */
  stop(): Promise<void>
}

/**
 * Keeps the list of alarms in the database, with first time, last time and count. While the database is away, alarms wait
 * in memory.
 *
 * @param options.onRaised receives each alarm, for the metrics and the webhook.
 */
export function createAlarms({
  now,
  redact,
  onRaised,
}: {
  readonly now: () => Date
  readonly redact: (text: string) => string
  readonly onRaised: (alarm: RaisedAlarm) => void
}): Alarms {
  const standing: Standing[] = []
  const waiting = createWaiting()
  let store: Pick<AlarmStore, 'add'> | undefined

  function raise(kind: AlarmKind, text: string): void {
    const message = redact(text).slice(0, MAX_MESSAGE)
    const at = now()
    const subject = subjectOf(message)
    onRaised({ kind, subject, message, at })
    waiting.add({ kind, subject, message, first_at: at, last_at: at, count: 1n })
    timer.wake()
  }

  async function storeWaiting(): Promise<void> {
    if (!store) return
    const rows = waiting.take()
    if (rows.length === 0) return
    await store.add(rows).catch((error: unknown) => {
      for (const row of rows) waiting.add(row)
      // Again in a moment, so that they are stored as soon as the database is back.
      timer.wake()
      throw error
    })
  }

  let lookedMs = performance.now()
  const timer = repeat({
    async run() {
      const isTime = performance.now() - lookedMs >= EVERY_MS
      if (isTime) {
        lookedMs = performance.now()
        for (const find of standing) {
          const found = await find()
          if (found) raise(found.kind, found.message)
        }
      }
      await storeWaiting()
    },
    everyMs: EVERY_MS,
    gapMs: GAP_MS,
    // The error of a database that is away is an alarm already, and would wait here as well.
    onError: () => {},
  })

  return {
    raise,
    watch: (find) => standing.push(find),
    start(openStore) {
      store = openStore
      timer.start()
      void timer.now().catch(() => {})
    },
    async stop() {
      await timer.stop()
      await storeWaiting().catch(() => {})
    },
  }
}

/** Alarms that wait to be stored: one row for all repetitions of one alarm. */
function createWaiting() {
  const rows = new Map<string, AlarmRow>()
  return {
    add(row: AlarmRow): void {
      const isFull = rows.size >= MAX_WAITING && !rows.has(`${row.kind} ${row.subject}`)
      const subject = isFull ? MANY : row.subject
      const known = rows.get(`${row.kind} ${subject}`)
      rows.set(`${row.kind} ${subject}`, {
        ...(known && known.last_at > row.last_at ? known : row),
        subject,
        first_at: known && known.first_at < row.first_at ? known.first_at : row.first_at,
        count: row.count + (known?.count ?? 0n),
      })
    },
    take(): AlarmRow[] {
      const taken = [...rows.values()]
      rows.clear()
      return taken
    },
  }
}

/** The message without figures, hashes and ids: it identifies the alarm. */
export function subjectOf(message: string): string {
  return message.replace(/0x[0-9a-f]+|\d[\d.,]*|\b[0-9a-f-]{16,}\b/gi, '#').slice(0, MAX_SUBJECT)
}
