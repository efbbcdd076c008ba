import type { ResponseOf } from '@clearwell/api/routes'
import type { Database, Queryable } from '@clearwell/ledger/database'
import type { Report } from '../log/report.ts'
import { repeat } from '../time/repeat.ts'
import { createNoticeStore, type NoticeDraft, type NoticeRow, type NoticeStore } from './notice.store.ts'
import { queuePushes } from './queue-pushes.ts'
import { hasUnsentNotices, takeUnsentNotices } from './unsent-notices.ts'

const EVERY_MS = 500
const READ_AT_ONCE = 500
const COMMANDS_AT_ONCE = 4

/** Something for the open apps of a user, as the stream carries it. */
export type PublishToAccount = (userId: string, event: { readonly name: string; readonly data: unknown }) => void

/**
 * Notices to users: any feature sends them in the transaction of the event they report. A command of the writer decides them
 * with `decideNotices`.
 */
export interface Notices extends Pick<NoticeStore, 'send' | 'list' | 'countUnread' | 'markRead'> {
  /** Calls `listener` on every server for each notice that is sent from now on, in their order. */
  onSent(listener: (notice: NoticeRow) => void): void
  start(): Promise<void>
  stop(): Promise<void>
  /** Sends what commands decided, and looks for new notices now. */
  check(): Promise<void>
}

/**
 * Creates the store of notices and delivers new ones to their owners' open apps: each server reads the notices of all
 * servers by number, and publishes them to its own streams.
 */
export function createNotices(deps: {
  readonly db: Database
  readonly publish: PublishToAccount
  /** True where the operator has keys for Web Push. Otherwise nothing is queued for devices. */
  readonly pushes?: boolean
  readonly onError: Report
}): Notices {
  const { send, list, countUnread, markRead, lastId, after } = createNoticeStore(deps.db)
  const listeners: ((notice: NoticeRow) => void)[] = []
  let seen: bigint | undefined

  async function sendNow(tx: Queryable, drafts: readonly NoticeDraft[], at: Date): Promise<void> {
    await send(tx, drafts, at)
    if (deps.pushes) await queuePushes(tx, drafts, at)
  }

  /** Sends what commands decided. @returns whether there was anything. */
  const sendDecided = () =>
    deps.db.transaction(async (tx) => {
      const commands = await takeUnsentNotices(tx, COMMANDS_AT_ONCE)
      for (const { drafts, decidedAt } of commands) await sendNow(tx, drafts, decidedAt)
      return commands.length > 0
    })

  async function run(): Promise<void> {
    seen ??= await lastId()
    while ((await hasUnsentNotices(deps.db)) && (await sendDecided()));
    for (;;) {
      const rows = await after(seen, READ_AT_ONCE)
      for (const row of rows) {
        deps.publish(row.user_id, { name: 'notice', data: noticeItem(row) })
        for (const listener of listeners) listener(row)
      }
      seen = rows.at(-1)?.id ?? seen
      if (rows.length < READ_AT_ONCE) return
    }
  }

  const timer = repeat({ run, everyMs: EVERY_MS, onError: (error) => deps.onError(error, 'notices') })
  return {
    send: sendNow,
    list,
    countUnread,
    markRead,
    onSent: (listener) => listeners.push(listener),
    async start() {
      // Earlier notices are in the list; this server had no listeners before.
      seen ??= await lastId()
      timer.start()
    },
    stop: timer.stop,
    check: timer.now,
  }
}

/** Formats a notice for the list and the stream. */
export function noticeItem({ id, kind, params, link, read_at, created_at }: NoticeRow): NoticeItem {
  const item = { id: id.toString(), kind, params, link, read: read_at !== null, created_at: created_at.toISOString() }
  // The row's kind and params belong together, which TypeScript does not follow through their unions.
  return item as NoticeItem
}

type NoticeItem = ResponseOf<'notices'>['items'][number]
