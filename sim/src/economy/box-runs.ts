import { DEFAULT_BOX_RULES } from '@clearwell/rules/box-rules'
import { type MembershipRow, memberships } from '@clearwell/server/src/domain/members/memberships.ts'
import { REWARDS } from '@clearwell/server/src/platform/ledger/accounts.ts'
import { BoxDays, type DayPolicy, type OldBoxRules, operatorWealth } from './box-days.ts'
import { E18, World } from './world.ts'

/** Fees of a day count for thirty days, so boxes of forty days return all of ten days of trades. */
export const TRADING_DAYS = 10
const DAYS = 40
/** In `rewards` before the first day: more than the fees of a month bring in, so that the pot never limits a day. */
const FULL_POT = [
  ['USDT', 120_000n * E18],
  ['BNB', 200n * E18],
  ['RT', 1_000_000n * E18],
] as const

export interface Plan {
  /** Every box draws ×1, where the luck of the draws would only hide a gain. */
  readonly isFlat?: boolean
  /** The part of the honest accounts that click on a day; all by default. */
  readonly clicking?: number
  readonly seed: number
  /** Honest accounts that trade and click every day, and the volume of each in USDT a day. */
  readonly honest: number
  readonly honestVolume: bigint
  readonly old?: OldBoxRules
  readonly policy?: DayPolicy
  readonly days?: number
  /** Prepares the attacker. */
  begin?(world: World): void
  /** The attacker's part of a day, before the honest accounts. */
  day?(world: World, boxes: BoxDays, day: number): void
  /** The attacker's last minute, after the honest accounts. */
  late?(boxes: BoxDays): void
}

/** Runs honest accounts and an attacker through days of trading and clicking. */
export function runDays({
  seed,
  honest,
  honestVolume,
  old,
  policy,
  days = DAYS,
  clicking = 1,
  isFlat = false,
  begin,
  day,
  late,
}: Plan): World {
  const world = new World(seed, { feesAtOwnPrice: old?.ownPrice === true })
  const rules = isFlat ? { ...DEFAULT_BOX_RULES, odds: [{ factor: 1, tickets: 100 }] } : DEFAULT_BOX_RULES
  const boxes = new BoxDays(world, { old: old ?? {}, rules })
  for (const [asset, pot] of FULL_POT) world.ledger.add(REWARDS, asset, pot)
  const ids = world.join(honest)
  for (const id of ids) {
    world.give(id, 'USDT', 100_000_000n * E18)
    world.activate(id)
  }
  begin?.(world)
  for (let index = 0; index < days; index++) {
    world.goTo(index, '00:00:30')
    day?.(world, boxes, index)
    if (world.ledger.now.getTime() < world.timeOf(index, '23:30').getTime()) world.goTo(index, '23:30')
    for (const id of ids) {
      world.tradeVolume(id, honestVolume)
      if (clicking === 1 || world.random() < clicking) boxes.click(id)
    }
    late?.(boxes)
    world.goTo(index + 1, '00:00')
    boxes.end(policy)
  }
  return world
}

/** Gives an account the highest level, as if its whole tree had been there before. */
export function raise(world: World, id: string): void {
  const row: MembershipRow = { id, level: 5, leads_0: 5, leads_1: 5, leads_2: 5, leads_3: 5, leads_4: 5 }
  world.ledger.put(memberships, row)
}

/** The capital of an operator's inviter: its activation. */
export const INVITER = 10n * E18

/** Adds an attacker with some capital. */
export function attackers(
  world: World,
  more: { readonly count?: number; readonly capital: bigint; readonly parent?: string },
): string[] {
  const { count = 1, capital, parent } = more
  const ids = world.join(count, parent === undefined ? {} : { parent })
  for (const id of ids) {
    world.give(id, 'USDT', capital / BigInt(count))
    world.activate(id)
  }
  return ids
}

interface Wash {
  readonly honest: number
  readonly honestVolume: bigint
  readonly volume: bigint
  readonly accounts?: number
  readonly tradingDays?: number
  readonly days?: number
  readonly isOperator?: boolean
  readonly old?: OldBoxRules
}

/** Trades with himself for some days, and clicks for a month more. @returns what is left beyond doing nothing. */
export function washForBoxes(seed: number, wash: Wash): bigint {
  const {
    honest,
    honestVolume,
    volume,
    accounts = 1,
    tradingDays = TRADING_DAYS,
    days = 30 + tradingDays,
    isOperator = false,
    old = {},
  } = wash
  const capital = 10_000_000n * E18
  let ids: string[] = []
  let owned: string[] = []
  const plan = { seed, honest, honestVolume, old, days, isFlat: isOperator }
  const world = runDays({
    ...plan,
    begin(each) {
      const inviters = isOperator ? attackers(each, { capital: INVITER }) : []
      ids = attackers(each, { count: accounts, capital, ...(inviters[0] !== undefined && { parent: inviters[0] }) })
      owned = [...inviters, ...ids]
      if (isOperator) for (const id of ids) raise(each, id)
    },
    day(each, boxes, day) {
      for (const id of ids) {
        if (day < tradingDays) each.tradeVolume(id, volume / BigInt(accounts))
        boxes.click(id)
      }
    },
  })
  const left = world.wealth({ accounts: owned }) - capital
  if (!isOperator) return left
  // The liquidity and the treasury are his too: more than they would be worth without his trades.
  return left - INVITER + operatorWealth(world) - operatorWealth(runDays(plan))
}
