import type { Clock } from '../../platform/time/clock.ts'
import { repeat } from '../../platform/time/repeat.ts'
import type { AlertStore, NoticeRow, ReachedRange } from './alert.store.ts'
import { noticeItem } from './alert-item.ts'
import type { MarketPrice } from './market-price.ts'
import type { PushSender } from './push-sender.ts'

/** Delivered with one statement. */
const DELIVERED_AT_ONCE = 1_000
const TOLD_AT_ONCE = 500
/** Above every price: what the column holds has 78 digits. */
const HIGHEST_E18 = 10n ** 78n - 1n

export interface AlertDesk {
  start(): Promise<void>
  stop(): Promise<void>
  /** Looks now, and answers once all that is due was sent too. */
  check(): Promise<void>
}

/**
 * Keeps alerts and prices together. On the server that writes the ledger it delivers what the prices have reached and
 * sends it to devices; on every server it tells those who listen there.
 *
 * What is delivered is decided by one statement on rows that it locks, so two servers that believe to write deliver each
 * alert once; what was delivered and not sent when a server died is sent by the next.
 */
export function createAlertDesk(deps: {
  readonly store: AlertStore
  readonly clock: Clock
  readonly isWriting: () => boolean
  readonly prices: () => Promise<readonly MarketPrice[]>
  /** Tells a user's open apps, as far as they listen to this server. */
  readonly tell: (userId: string, event: { readonly name: 'alert'; readonly data: unknown }) => void
  /** `undefined` where the operator has no keys: nothing is sent, and nothing is kept to be sent. */
  readonly push: PushSender | undefined
  readonly everyMs: number
  readonly onError: (error: unknown, doing: string) => void
}): AlertDesk {
  const { store, clock, push, onError } = deps
  let told: bigint | undefined
  let sending: Promise<unknown> | undefined

  async function look(): Promise<void> {
    if (deps.isWriting()) await deliver()
    send()
    await tellListeners()
  }

  /** Also while a price stands still: an alert may have been set while it moved. */
  async function deliver(): Promise<void> {
    const ranges = (await deps.prices()).flatMap(reachedBy)
    if (ranges.length === 0) return
    for (;;) {
      const delivered = await store.deliver(ranges, clock.now(), DELIVERED_AT_ONCE, push !== undefined)
      if (delivered < DELIVERED_AT_ONCE) return
    }
  }

  /** Beside the deliveries: a service that is slow holds up none of them. */
  function send(): void {
    if (!push || sending || !deps.isWriting()) return
    sending = push
      .send()
      .catch((error: unknown) => looks.report(error))
      .finally(() => {
        sending = undefined
      })
  }

  /** By their numbers, which are seen in their order whoever gave them. */
  async function tellListeners(): Promise<void> {
    told ??= await store.lastNotice()
    for (;;) {
      const rows: readonly NoticeRow[] = await store.noticesAfter(told, TOLD_AT_ONCE)
      for (const row of rows) deps.tell(row.user_id, { name: 'alert', data: noticeItem(row) })
      told = rows.at(-1)?.notice ?? told
      if (rows.length < TOLD_AT_ONCE) return
    }
  }

  const looks = repeat({ look, everyMs: deps.everyMs, onError: (error) => onError(error, 'alerts') })

  return {
    async start() {
      // What was delivered before this server came is told by the notices.
      told ??= await store.lastNotice()
      looks.start()
    },
    async stop() {
      push?.stop()
      await looks.stop()
      await sending
    },
    async check() {
      await looks.now()
      // What is under way may have begun before this look.
      await sending
      send()
      await sending
    },
  }
}

function reachedBy({ symbol, priceE18 }: MarketPrice): ReachedRange[] {
  if (priceE18 === undefined) return []
  return [
    { symbol, direction: 'above', fromE18: 0n, toE18: priceE18, priceE18 },
    { symbol, direction: 'below', fromE18: priceE18, toE18: HIGHEST_E18, priceE18 },
  ]
}
