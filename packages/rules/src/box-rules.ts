/**
 * The numbers of the blind boxes. The operator's configuration sets them; a day keeps those that were published with its
 * commitment, and its root fixes them. Every value is a whole number, so that the published text is exact.
 */
export interface BoxRules {
  /** Each membership level adds this to the level factor of 1, in basis points. */
  readonly levelStepBps: number
  /** Each previous consecutive day adds this to the streak factor of 1, in basis points, up to a limit. */
  readonly streakStepBps: number
  readonly streakMaxBps: number
  /** The factors of the draw and how many of 100 tickets each has, in the order of the tickets. */
  readonly odds: readonly { readonly factor: number; readonly tickets: number }[]
  /** Days before the day of a box whose swap fees make its power. */
  readonly feeDays: number
  /** A day divides at most one part of so many of `rewards`, and of what its box owners' fees brought in. */
  readonly poolParts: number
  /** Days in which a reward can be claimed. */
  readonly claimableDays: number
  /** Minutes after the end of a day at which its block can be due, in ascending order. */
  readonly blockMinutes: readonly number[]
  /** Minutes that a root must be published before the time of its block. */
  readonly rootMarginMinutes: number
  /** Hours after the block in which the seed must be published. */
  readonly revealHours: number
}

/** The defaults of the configuration (product rule "Blind box and node"). */
export const DEFAULT_BOX_RULES: BoxRules = {
  levelStepBps: 200,
  streakStepBps: 100,
  streakMaxBps: 900,
  odds: [
    { factor: 1, tickets: 60 },
    { factor: 2, tickets: 25 },
    { factor: 3, tickets: 10 },
    { factor: 5, tickets: 4 },
    { factor: 10, tickets: 1 },
  ],
  feeDays: 30,
  poolParts: 30,
  claimableDays: 30,
  blockMinutes: [30, 120, 360, 720, 1_440],
  rootMarginMinutes: 10,
  revealHours: 24,
}

/** Tickets of a draw. */
export const TICKETS = 100
/** Level and streak factors together stay under this many basis points: from there on, an operator's wash trades would pay. */
const FACTORS_BELOW_BPS = 12_000n
const ONE_BPS = 10_000n
const HIGHEST_LEVEL = 5n

/** Says why rules cannot be used; `undefined` for rules that can. The server refuses to start with the others. */
export function faultOfBoxRules(rules: BoxRules): string | undefined {
  const { levelStepBps, streakStepBps, streakMaxBps, odds, blockMinutes, rootMarginMinutes } = rules
  const highest = (ONE_BPS + HIGHEST_LEVEL * BigInt(levelStepBps)) * (ONE_BPS + BigInt(streakMaxBps))
  if (highest >= FACTORS_BELOW_BPS * ONE_BPS)
    return 'level and streak factors together must stay under 1.2: from there on, trading with oneself pays'
  if (streakStepBps > streakMaxBps) return 'a day of a streak must not add more than the whole streak'
  if (odds.reduce((sum, { tickets }) => sum + tickets, 0) !== TICKETS) return `the odds must have ${TICKETS} tickets`
  if (odds.some(({ factor }, index) => factor <= (odds[index - 1]?.factor ?? 0)))
    return 'the factors of the draw must ascend'
  if (blockMinutes.some((minutes, index) => minutes <= (blockMinutes[index - 1] ?? rootMarginMinutes)))
    return 'the times of the block must ascend, each later than the least time after the root'
  return undefined
}

/** Returns the one line of text that publishes the rules of a day: the root of the day fixes it. */
export function boxRulesText(rules: BoxRules): string {
  const odds = rules.odds.map(({ factor, tickets }) => `${factor}:${tickets}`).join(',')
  return [
    `level ${rules.levelStepBps}`,
    `streak ${rules.streakStepBps} ${rules.streakMaxBps}`,
    `odds ${odds}`,
    `days ${rules.feeDays}`,
    `parts ${rules.poolParts}`,
    `claim ${rules.claimableDays}`,
    `block ${rules.blockMinutes.join(',')}`,
    `margin ${rules.rootMarginMinutes}`,
    `reveal ${rules.revealHours}`,
  ].join(' ')
}

const TEXT =
  /^level (\d+) streak (\d+) (\d+) odds ([\d:,]+) days (\d+) parts (\d+) claim (\d+) block ([\d,]+) margin (\d+) reveal (\d+)$/

/**
 * Reads rules from their text.
 *
 * @throws RangeError for a text that {@link boxRulesText} does not write.
 */
export function parseBoxRules(text: string): BoxRules {
  const [, ...parts] = TEXT.exec(text) ?? []
  const [level, streak, streakMax, odds = '', days, partsOfPool, claim, block = '', margin, reveal] = parts
  const rules = {
    levelStepBps: Number(level),
    streakStepBps: Number(streak),
    streakMaxBps: Number(streakMax),
    odds: odds.split(',').map((each) => {
      const [factor, tickets] = each.split(':').map(Number)
      return { factor: factor ?? 0, tickets: tickets ?? 0 }
    }),
    feeDays: Number(days),
    poolParts: Number(partsOfPool),
    claimableDays: Number(claim),
    blockMinutes: block.split(',').map(Number),
    rootMarginMinutes: Number(margin),
    revealHours: Number(reveal),
  }
  if (boxRulesText(rules) !== text) throw new RangeError(`parseBoxRules: "${text}" is no text of rules`)
  return rules
}
