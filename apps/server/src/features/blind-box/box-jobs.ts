import type { Database } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import { formatAmount } from '@clearwell/money/amount'
import { type DividedBox, dividedAfter, type OwnedBox } from '../../domain/boxes/box.store.ts'
import type { RoundKind } from '../../domain/boxes/box.tables.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { NoticeDraft } from '../../platform/notices/notice.store.ts'
import type { Notices } from '../../platform/notices/notices.ts'
import type { BatchPace } from '../../platform/time/batch-pace.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { expireBoxes } from './box-money.ts'
import { advanceRound, dueRound, holdRound, type RoundRow } from './box-rounds.store.ts'
import { advanceDays, type DayCloseDependencies, type DayProgress } from './close-day.ts'

const CLOSE_EVERY_MS = 5_000
const ROUNDS_EVERY_MS = 10_000

/** Publishes commitments, closes days that have ended, and draws and divides them. */
export function closeDays(deps: DayCloseDependencies) {
  let progress: DayProgress = 'waiting'
  return defineJob<null, 'more'>({
    name: 'blind-box.close-days',
    recurs: { everyMs: CLOSE_EVERY_MS },
    async act() {
      progress = await advanceDays(deps)
    },
    step: async () => (progress === 'advanced' ? { next: 'more' } : 'done'),
  })
}

export interface RoundDependencies {
  readonly db: Database
  readonly writer: Pick<Writer, 'execute'>
  readonly clock: Clock
  readonly notices: Pick<Notices, 'send'>
  /** The boxes of each step. */
  readonly paces: Readonly<Record<RoundKind, BatchPace>>
}

/** Announces rewards, reminds of them three days before they expire, and returns them after 30 days. */
export function followDays(deps: RoundDependencies) {
  let progress: DayProgress = 'waiting'
  return defineJob<null, 'more'>({
    name: 'blind-box.follow-days',
    recurs: { everyMs: ROUNDS_EVERY_MS },
    async act() {
      progress = await advanceRounds(deps)
    },
    step: async () => (progress === 'advanced' ? { next: 'more' } : 'done'),
  })
}

/**
 * Handles the next boxes of the round that has been due for the longest time. Notices and expiries change nothing the second
 * time, so a server that dies between them and the round repeats them without effect.
 */
export async function advanceRounds(deps: RoundDependencies): Promise<DayProgress> {
  const now = deps.clock.now()
  const round = await dueRound(deps.db, now)
  if (!round) return 'waiting'
  let progress = 'waiting' as DayProgress
  await deps.paces[round.kind].run(async (most) => {
    const read = await dividedAfter(deps.db, round, most)
    progress = await handleBoxes(deps, round, { read, isLast: read.length < most, now })
    return read.length
  })
  return progress
}

async function handleBoxes(
  { db, writer, notices }: RoundDependencies,
  round: RoundRow,
  { read, isLast, now }: { readonly read: readonly DividedBox[]; readonly isLast: boolean; readonly now: Date },
): Promise<DayProgress> {
  const boxes = read.flatMap(({ owned }) => owned ?? [])
  if (round.kind === 'expire' && boxes.length > 0) await writer.execute(expireBoxes(boxes))
  return db.transaction(async (tx) => {
    if (!(await holdRound(tx, round))) return 'waiting'
    await advanceRound(tx, round, isLast ? undefined : read.at(-1)?.id, now)
    await notices.send(tx, draftsOf(round, boxes), now)
    return 'advanced'
  })
}

const NOTICES = { announce: 'box_claimable', remind: 'box_expiring' } as const satisfies Partial<
  Record<RoundKind, string>
>

function draftsOf({ kind }: RoundRow, boxes: readonly OwnedBox[]): NoticeDraft[] {
  if (kind === 'expire') return []
  return boxes.map(({ boxId, userId, day, reward, expiresAt }) => ({
    userId,
    kind: NOTICES[kind],
    key: boxId,
    params: {
      box_id: boxId,
      day,
      reward: reward.map((each) => ({ asset: each.asset, amount: formatAmount(each) })),
      expires_at: expiresAt.toISOString(),
    },
    link: '/node/claim',
  }))
}
