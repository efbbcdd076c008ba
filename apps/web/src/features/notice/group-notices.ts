import type { Notice } from './notice.queries.ts'

/** Notices of one kind or of one loan, shown as one row: the newest, and how many others there are. */
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
/** Each of them replaces the earlier ones of its loan. A liquidation replaces nothing: it is shown alone. */
const REPLACING: ReadonlySet<string> = new Set<Notice['kind']>([
  'loan_warning',
  'loan_reminder',
  'loan_rate_doubled',
  'loan_to_be_cleared',
])
/** They come every day, with others between them, and are one group wherever they are in the list. */
const DAILY: ReadonlySet<string> = new Set<Notice['kind']>(['box_claimable'])
/** Fewer notices of one kind are shown one by one. */
const LEAST_GROUP = 3

/**
 * Groups notices, newest first: unread ones about money come first, then the others, with at least three of one kind in a
 * row as one; those of every day need not be in a row. All warnings of a loan are one group, also those that were read.
 *
 * @param isFresh whether a notice was unread when the list opened.
 */
export function groupNotices(notices: readonly Notice[], isFresh: (notice: Notice) => boolean): GroupedNotices {
  const isMoney = (notice: Notice) => MONEY.has(notice.kind) && isFresh(notice)
  const groups = groupLoans(notices)
  const money = groups.filter(({ newest, others }) => isMoney(newest) || others.some(isMoney))
  const runs: NoticeGroup[][] = []
  for (const group of gatherDaily(groups.filter((each) => !money.includes(each)))) {
    const run = runs.at(-1)
    if (run?.[0]?.newest.kind === group.newest.kind) run.push(group)
    else runs.push([group])
  }
  return { money, rest: runs.flatMap(groupsOfRun) }
}

/** Notices of every day are one group each kind, in the place of the newest, if there are enough. */
function gatherDaily(groups: readonly NoticeGroup[]): NoticeGroup[] {
  const ofKind = Map.groupBy(groups, ({ newest }) => newest.kind)
  return groups.flatMap((group) => {
    const alike = ofKind.get(group.newest.kind) ?? []
    if (!DAILY.has(group.newest.kind) || alike.length < LEAST_GROUP) return [group]
    return group === alike[0] ? [{ newest: group.newest, others: alike.slice(1).map(({ newest }) => newest) }] : []
  })
}

/** The warnings of a loan are one group, in the place of the newest. Any other notice is alone. */
export function groupLoans(notices: readonly Notice[]): NoticeGroup[] {
  const groups = Map.groupBy(notices, (notice) => loanOf(notice) ?? notice.id)
  return [...groups.values()].flatMap(([newest, ...others]) => (newest ? [{ newest, others }] : []))
}

/** Returns whether a later notice of the same loan says more. */
export function isReplaced(notice: Notice, { newest, others }: NoticeGroup): boolean {
  const loan = loanOf(notice)
  return loan !== undefined && others.includes(notice) && loanOf(newest) === loan
}

function loanOf({ kind, params }: Notice): string | undefined {
  return REPLACING.has(kind) && 'order_id' in params ? `loan ${params.order_id}` : undefined
}

function groupsOfRun(run: readonly NoticeGroup[]): NoticeGroup[] {
  const [first, ...others] = run.flatMap(({ newest, others: earlier }) => [newest, ...earlier])
  return run.length < LEAST_GROUP || !first ? [...run] : [{ newest: first, others }]
}
