import { DAY_MS, HOUR_MS } from '@clearwell/rules/spans'
import type { StepKind } from './activity-step.ts'

/** Of ten users, so many click on nearly every day, and so many now and then. */
const [DAILY_OF_TEN, SOMETIMES_OF_TEN] = [3, 2]
/** Of a hundred days, a user clicks on so many. */
const [DAILY_CLICKS, SOME_CLICKS] = [95, 40]
/** The hours in Hong Kong at which people click. Few, because steps of one hour share their cost. */
const CLICK_HOURS = [8, 12, 19, 22] as const
/** Of three users who click, so many claim; the rewards of the others expire. */
const CLAIMING_OF_THREE = 2
const CLAIM_EVERY_MS = 7 * DAY_MS
/** Of four users, so many take part in the upgrade hub. */
const HUB_OF_FOUR = 1
/** Requests of a user: each is for the next star level. */
const MAX_REQUESTS = 3
const COLLECT_EVERY_MS = 6 * DAY_MS
const VISITOR_COLLECTS_EVERY_MS = DAY_MS
const APPROVE_EVERY_MS = 4 * DAY_MS
/** The visitor finds rewards to claim, and a request to approve: they are from less than so long before the end. */
const LATE_MS = 2 * DAY_MS

export interface Life {
  readonly joinMs: number
  readonly endMs: number
  /** From the beginning to the first midnight in Hong Kong, in milliseconds. */
  readonly midnightMs: number
  readonly isVisitor: boolean
  /** True for the first users, who are in the visitor's team. */
  readonly isEarly: boolean
  /** For this user and these steps alone: how many there are changes no other step. */
  readonly choose: (below: number) => number
  readonly add: (kind: StepKind, afterMs: number, chance: number) => void
}

/** Plans what a user does again and again: blind boxes and the upgrade hub. */
export function planDailyLife(life: Life): void {
  planBoxes(life)
  planHub(life)
}

/** A few users click on most days, others now and then. The visitor's box for today is left for the visitor. */
function planBoxes({ joinMs, endMs, midnightMs, isVisitor, choose, add }: Life): void {
  const habit = choose(10)
  const isDaily = isVisitor || habit < DAILY_OF_TEN
  if (!isDaily && habit >= DAILY_OF_TEN + SOMETIMES_OF_TEN) return
  const clicks = isDaily ? DAILY_CLICKS : SOME_CLICKS
  const todayMs = midnightMs + Math.floor((endMs - midnightMs) / DAY_MS) * DAY_MS
  const lastMs = isVisitor ? todayMs : endMs
  for (let dayMs = midnightMs - DAY_MS; dayMs < lastMs; dayMs += DAY_MS) {
    const hour = CLICK_HOURS[choose(CLICK_HOURS.length)] ?? CLICK_HOURS[0]
    const atMs = dayMs + hour * HOUR_MS + choose(HOUR_MS)
    const chance = choose(2 ** 32)
    if (chance % 100 < clicks && atMs > joinMs && atMs < lastMs) add('click', atMs, chance)
  }
  if (!isVisitor && choose(3) >= CLAIMING_OF_THREE) return
  repeatAfter(joinMs, { everyMs: CLAIM_EVERY_MS, untilMs: endMs - LATE_MS, choose }, (atMs) =>
    add('claim', atMs, choose(2 ** 32)),
  )
}

/** Some users collect RT, request stars and approve those of their leads. */
function planHub({ joinMs, endMs, isVisitor, isEarly, choose, add }: Life): void {
  if (!isEarly && choose(4) >= HUB_OF_FOUR) return
  const requests = isEarly ? MAX_REQUESTS : 1 + choose(MAX_REQUESTS)
  for (let n = 0; n < requests; n++) {
    // The visitor asks soon, so that a star earns for nearly all the time.
    const soonMs = joinMs + Math.floor((n * (endMs - joinMs)) / MAX_REQUESTS) + HOUR_MS
    const isLate = isEarly && n === requests - 1
    const fromMs = isLate ? Math.max(joinMs, endMs - LATE_MS) : joinMs
    add('request_star', isVisitor ? soonMs : fromMs + 1 + choose(endMs - fromMs - 1), choose(2 ** 32))
  }
  const collectMs = isVisitor ? VISITOR_COLLECTS_EVERY_MS : COLLECT_EVERY_MS
  repeatAfter(joinMs, { everyMs: collectMs, untilMs: endMs, choose }, (atMs) =>
    add('collect_rt', atMs, choose(2 ** 32)),
  )
  if (!isVisitor && choose(2) === 0) return
  const approve = { everyMs: APPROVE_EVERY_MS, untilMs: endMs - LATE_MS, choose }
  repeatAfter(joinMs, approve, (atMs) => add('approve_stars', atMs, choose(2 ** 32)))
}

/** Calls `add` with a time in each period. */
function repeatAfter(
  fromMs: number,
  { everyMs, untilMs, choose }: { readonly everyMs: number; readonly untilMs: number } & Pick<Life, 'choose'>,
  add: (atMs: number) => void,
): void {
  for (let periodMs = fromMs; periodMs < untilMs; periodMs += everyMs) {
    const atMs = periodMs + 1 + choose(everyMs - 1)
    if (atMs < untilMs) add(atMs)
  }
}
