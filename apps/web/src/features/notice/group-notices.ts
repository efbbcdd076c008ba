import type { Notice } from './notice.queries.ts'

/** Notices of one kind, shown as one row: the newest, and how many others there are. */
export interface NoticeGroup {
  readonly newest: Notice
  readonly others: readonly Notice[]
}

export interface GroupedNotices {
  /** Unread notices about money that the user can lose. */
  readonly money: readonly NoticeGroup[]
  readonly rest: readonly NoticeGroup[]
}

/** Kinds about money that the user can lose or has lost. */
const MONEY: ReadonlySet<string> = new Set<Notice['kind']>([
  'loan_warning',
  'loan_reminder',
  'loan_rate_doubled',
  'loan_to_be_cleared',
  'loan_part_liquidated',
  'loan_liquidated',
  'payout_settled',
  'box_expiring',
])
/** Fewer notices of one kind are shown one by one. */
const LEAST_GROUP = 3

/**
 * Groups notices, newest first: unread ones about money come first and each alone, then the others, with at least three
 * of one kind in a row as one.
 *
 * @param isFresh whether a notice was unread when the list opened.
 */
export function groupNotices(notices: readonly Notice[], isFresh: (notice: Notice) => boolean): GroupedNotices {
  const isMoney = (notice: Notice) => MONEY.has(notice.kind) && isFresh(notice)
  const money = notices.filter(isMoney).map((newest) => ({ newest, others: [] }))
  const runs: Notice[][] = []
  for (const notice of notices) {
    if (isMoney(notice)) continue
    const run = runs.at(-1)
    if (run?.[0]?.kind === notice.kind) run.push(notice)
    else runs.push([notice])
  }
  return { money, rest: runs.flatMap(groupsOfRun) }
}

function groupsOfRun(run: readonly Notice[]): NoticeGroup[] {
  const [newest, ...others] = run
  if (!newest) return []
  return run.length < LEAST_GROUP ? run.map((each) => ({ newest: each, others: [] })) : [{ newest, others }]
}
