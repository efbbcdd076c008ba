import { type DayPolicy, type DrawnBox, type OldBoxRules, operatorWealth } from './box-days.ts'
import { attackers, INVITER, raise, runDays } from './box-runs.ts'
import { E18, World } from './world.ts'

/** Steps of an hour within the band of RT, which has no spot price: 30 % from any price of the last hour. */
const UP_STEPS = 6

/** Raises the price of RT hour by hour, and sells again in steps: the fees of the sales count at his own prices. */
function pumpRt(
  world: World,
  id: string,
  day: number,
  { up, down }: { readonly up: number; readonly down: number },
): void {
  const pool = 'rt-usdt'
  let hour = 0
  let bought = 0n
  const scaled = (amount: bigint, factor: number) => (amount * BigInt(Math.round((factor - 1) * 1e6))) / 1_000_000n
  for (; hour < UP_STEPS; hour++) {
    world.goTo(day, `${hour}:${hour + 1}`)
    const amountIn = scaled(world.reserves(pool).quote, Math.sqrt(up))
    const result = world.swap(id, { pool, inverse: true, amountIn })
    if (typeof result !== 'string') bought += result.bought
  }
  for (; bought > 0n && hour < 23; hour++) {
    world.goTo(day, `${hour}:${hour + 1}`)
    const most = scaled(world.reserves(pool).base, Math.sqrt(1 / down))
    const amountIn = bought < most ? bought : most
    const result = world.swap(id, { pool, inverse: false, amountIn })
    if (typeof result !== 'string') bought -= amountIn
  }
}

/** An operator's hidden account makes power at raised RT prices. @returns his gain beyond the same world without it. */
export function washInRt(
  seed: number,
  { up, pumps, old = {} }: { readonly up: number; readonly pumps: number; readonly old?: OldBoxRules },
): bigint {
  const capital = 10_000_000n * E18
  const plan = { seed, honest: 8, honestVolume: 500_000n * E18, days: 33, isFlat: true, old }
  let owned: string[] = []
  const world = runDays({
    ...plan,
    begin(each) {
      const [inviter = ''] = attackers(each, { capital: INVITER })
      const [id = ''] = attackers(each, { capital, parent: inviter })
      raise(each, id)
      owned = [id, inviter]
    },
    day(each, boxes, day) {
      const [id = ''] = owned
      boxes.click(id)
      if (day < pumps) pumpRt(each, id, day, { up, down: 0.72 })
    },
  })
  const left = world.wealth({ accounts: owned }) - capital - INVITER
  return left + operatorWealth(world) - operatorWealth(runDays(plan))
}

/** A hidden account of the operator among equal honest ones, and how he ends the days. */
function operatorDays(
  seed: number,
  more: {
    readonly policy?: (own: string) => DayPolicy
    readonly old?: OldBoxRules
    readonly others: number
    readonly days?: number
  },
) {
  const { policy, old, others, days = 30 } = more
  let own = ''
  const volume = 20_000n * E18
  const world = new World(seed)
  own = world.join(others + 1).at(-1) ?? ''
  const run = runDays({
    seed,
    honest: others,
    honestVolume: volume,
    days,
    ...(old && { old }),
    ...(policy && { policy: policy(own) }),
    begin: (each) => void attackers(each, { capital: 1_000_000n * E18 }),
    day(each, boxes) {
      each.tradeVolume(own, volume)
      boxes.click(own)
    },
  })
  return run.wealth({ accounts: [own] }) + operatorWealth(run)
}

const shareOf = (own: string, drawn: readonly DrawnBox[]) => {
  const total = drawn.reduce((sum, { power }) => sum + power, 0n)
  const power = drawn.find(({ owner }) => owner === own)?.power ?? 0n
  return total === 0n ? 0 : Number((power * 1_000_000n) / total) / 1_000_000
}

/** Publishes the seed only on days on which his box draws more than a part of its fair share. */
export function withholdSeed(
  seed: number,
  { others, threshold, old, days = 30 }: { others: number; threshold: number; old?: OldBoxRules; days?: number },
): bigint {
  const fair = 1 / (others + 1)
  const policy = (own: string): DayPolicy => ({
    reveals: (drawn) => shareOf(own, drawn) === 0 || shareOf(own, drawn) >= threshold * fair,
  })
  const rules = { days, ...(old && { old }) }
  return operatorDays(seed, { others, policy, ...rules }) - operatorDays(seed, { others, ...rules })
}

/** The times of the ladder, in minutes after the day's end. */
const LADDER = [30, 120, 360, 720, 1_440] as const

/** Publishes the root only after a block that would have been bad for him; or, by the old rule, for the best of twelve blocks. */
export function delayRoot(seed: number, old?: OldBoxRules): bigint {
  const others = 9
  const policy = (own: string): DayPolicy => ({
    rootMinutes(drawsOf) {
      if (old?.anyBlock) {
        const minutes = Array.from({ length: 12 }, (_, index) => index + 1)
        return minutes.reduce((best, each) => (shareOf(own, drawsOf(each)) > shareOf(own, drawsOf(best)) ? each : best))
      }
      const missed = LADDER.find((minutes) => shareOf(own, drawsOf(minutes)) < 1 / (others + 1)) ?? 720
      return Math.min(missed + 1, 1_440 - 10)
    },
  })
  const rules = old && { old }
  return operatorDays(seed, { others, policy, ...rules }) - operatorDays(seed, { others, ...rules })
}
