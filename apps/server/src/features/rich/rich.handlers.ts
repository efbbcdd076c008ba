import type { richRoutes } from '@clearwell/api/rich.routes'
import type { Writer } from '@clearwell/ledger/writer'
import { formatUnits } from '@clearwell/money/decimal'
import { boundsOfDay, hongKongDayOf, parseHongKongDay } from '@clearwell/rules/hong-kong-day'
import { earningCandles, oldestEarningCandle } from '@clearwell/rules/rich-earnings'
import { depositProgress, highestStarFor } from '@clearwell/rules/rich-star'
import { DEFAULT_PAGE, decodeCursor, encodeCursor, pageOf } from '../../platform/http/paging.ts'
import { readAmount } from '../../platform/http/read-amount.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { invalidField } from '../../platform/ledger/refuse.ts'
import { cached } from '../../platform/time/cached.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { childItem, overviewItem, programItem, releaseItem, requestItem, rt } from './hub-items.ts'
import { linkUid, renameUid } from './link-uid.ts'
import { checkDeposit, collectRt, depositRt, takeBackRt } from './move-rt.ts'
import { approveUpgrade, requestUpgrade } from './request-upgrade.ts'
import type { RichRules } from './rich.config.ts'
import type { RichStore } from './rich.store.ts'
import { stepDown } from './step-down.ts'

export interface RichDependencies {
  readonly store: RichStore
  readonly writer: Writer
  readonly clock: Clock
  readonly rules: RichRules
}

type RichHandlers = HandlersOf<typeof richRoutes>
type CommandHandlers = Pick<
  RichHandlers,
  'linkUid' | 'renameUid' | 'depositRt' | 'collectRt' | 'takeBackRt' | 'stepDown' | 'requestUpgrade' | 'approveUpgrade'
>
type PublicHandlers = Pick<RichHandlers, 'richProgram' | 'richReleases'>

const DEFAULT_CANDLES = 30
/** All visitors share one read of the programme for so long. */
const PROGRAM_MS = 1_000

export function richHandlers(deps: RichDependencies): RichHandlers {
  return { ...commandHandlers(deps), ...readHandlers(deps), ...publicHandlers(deps) }
}

function commandHandlers({ writer, rules }: RichDependencies): CommandHandlers {
  return {
    linkUid: ({ uid, name }, { user, idempotencyKey: key }) =>
      writer.execute(linkUid(rules, { userId: user.id, parentId: user.parentId, uid, name, key })),
    renameUid: ({ name }, { user, idempotencyKey: key }) =>
      writer.execute(renameUid(rules, { userId: user.id, name, key })),
    depositRt: ({ amount }, { user, idempotencyKey: key }) =>
      writer.execute(depositRt(rules, { userId: user.id, units: readAmount('amount', amount, 'RT').units, key })),
    collectRt: (_payload, { user, idempotencyKey: key }) => writer.execute(collectRt(rules, { userId: user.id, key })),
    takeBackRt: (_payload, { user, idempotencyKey: key }) =>
      writer.execute(takeBackRt(rules, { userId: user.id, key })),
    stepDown: (_payload, { user, idempotencyKey: key }) => writer.execute(stepDown(rules, { userId: user.id, key })),
    requestUpgrade: (_payload, { user, idempotencyKey: key }) =>
      writer.execute(requestUpgrade(rules, { userId: user.id, parentId: user.parentId, key })),
    approveUpgrade: ({ request_id: requestId }, { user, idempotencyKey: key }) =>
      writer.execute(approveUpgrade(rules, { userId: user.id, requestId, key })),
  }
}

function readHandlers({
  store,
  clock,
  rules,
}: RichDependencies): Omit<RichHandlers, keyof CommandHandlers | keyof PublicHandlers> {
  return {
    richOverview: async (_payload, { user }) => overviewItem(await store.hub(user.id), rules, clock.now()),
    async previewDeposit({ amount }, { user }) {
      const units = readAmount('amount', amount, 'RT').units
      const { account, wallet, deposit: before } = await store.hub(user.id)
      checkDeposit({ units, wallet, deposit: before }, rules)
      const deposit = before + units
      const { missing, progressE18 } = depositProgress(account?.star ?? 0, deposit, rules.firstDeposit)
      return {
        amount: rt(units),
        deposit: rt(deposit),
        wallet_balance: rt(wallet - units),
        missing: rt(missing),
        progress: formatUnits(progressE18, 18),
        enough_for: highestStarFor(deposit, rules.firstDeposit),
      }
    },
    async richChildren({ cursor, limit = DEFAULT_PAGE }, { user }) {
      const rows = await store.children(user.id, decodeCursor(cursor), limit + 1)
      return pageOf(rows, limit, childItem, ({ id, listed_at: at }) => encodeCursor({ at, id }))
    },
    async richRequests({ cursor, limit = DEFAULT_PAGE }, { user }) {
      const rows = await store.requestsOf(user.id, decodeCursor(cursor), limit + 1)
      return pageOf(rows, limit, requestItem, ({ id, created_at: at }) => encodeCursor({ at, id }))
    },
    async richEarnings({ interval, limit = DEFAULT_CANDLES }, { user }) {
      const today = hongKongDayOf(clock.now())
      const from = oldestEarningCandle(today, interval, limit)
      const candles = earningCandles({ ...(await store.collected(user.id, from)), today, interval, limit })
      return candles.map(({ day, open, high, low, close, volume }) => ({
        time: boundsOfDay(day).opensAt.toISOString(),
        open: rt(open),
        high: rt(high),
        low: rt(low),
        close: rt(close),
        volume: rt(volume),
      }))
    },
  }
}

function publicHandlers({ store, clock, rules }: RichDependencies): PublicHandlers {
  const program = cached({ read: () => store.program(), maxAgeMs: PROGRAM_MS, clock })
  return {
    richProgram: async () => programItem(await program.get(undefined), rules, clock.now()),
    async richReleases({ cursor, limit = DEFAULT_PAGE }) {
      if (cursor !== undefined && !parseHongKongDay(cursor)) throw invalidField('cursor', 'not a cursor of this list')
      const rows = await store.releases(cursor, limit + 1)
      return pageOf(rows, limit, releaseItem, ({ id }) => id)
    },
  }
}
