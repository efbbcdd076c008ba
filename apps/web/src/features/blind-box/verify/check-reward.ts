import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { levelFactorBps, type MembershipLevel, powerOf, streakFactorBps } from '@clearwell/rules/box-power'
import { poolOfDay, rewardOf } from '@clearwell/rules/box-reward'
import { parseBoxRules } from '@clearwell/rules/box-rules'
import type { Evidence } from './box-evidence.ts'
import { computed, given, type Verdict } from './check-step.ts'

const DECIMALS = 18
export const POWER_DECIMALS = DECIMALS
const FACTOR_DECIMALS = 4

/** The published factors follow from level and streak, and the power is their product with the draw. */
export function checkPower({ day, box }: Evidence): Verdict {
  const rules = parseBoxRules(day.rules)
  const level = box.level as MembershipLevel
  const factor = (bps: number | bigint) => formatUnits(BigInt(bps), FACTOR_DECIMALS)
  const [levelFactor, streakFactor] = [factor(levelFactorBps(level, rules)), factor(streakFactorBps(box.streak, rules))]
  const power = formatUnits(powerOf({ ...box, fees: unitsOf(box.fees), level }, rules), POWER_DECIMALS)
  return {
    isRight: power === box.power && levelFactor === box.level_factor && streakFactor === box.streak_factor,
    facts: [
      given('fees', `${box.fees} USDT`),
      computed('level_factor', `1 + ${factor(rules.levelStepBps)} × ${box.level} = ${levelFactor}`),
      computed('streak_factor', `1 + ${factor(rules.streakStepBps)} × ${box.streak} → ${streakFactor}`),
      given('factor', `×${box.draw}`),
      computed('power', power),
    ],
  }
}

/** The balance that the day shares a part of is the one before it and what the ledger's entries changed. */
export function checkSources({ day, sources }: Evidence): Verdict {
  if (!sources) return { isRight: undefined, facts: [] }
  const { pools, sources: sums, items } = sources
  const isOfItems = (asset: string, kind: string, amount: string) =>
    !items ||
    sumOf(items.filter((item) => item.asset === asset && item.kind === kind).map((item) => item.amount)) ===
      signedUnitsOf(amount)
  const assets = pools.map(({ asset, opening, rewards }) => {
    const changes = sums.filter((source) => source.asset === asset)
    const sum = signedUnitsOf(opening) + sumOf(changes.map(({ amount }) => amount))
    const published = day.pool.find((pool) => pool.asset === asset)?.rewards ?? '0'
    return {
      asset,
      opening,
      changes,
      sum,
      isRight:
        sum === unitsOf(rewards) &&
        sum === unitsOf(published) &&
        changes.every(({ kind, amount }) => isOfItems(asset, kind, amount)),
    }
  })
  return {
    isRight: assets.every(({ isRight }) => isRight),
    facts: assets
      .filter(({ sum, changes }) => sum > 0n || changes.length > 0)
      .map(({ asset, opening, changes, sum }, index) =>
        computed(
          `asset_${index}`,
          `${[opening, ...changes.map(({ amount, kind }) => `${amount} [${kind}]`)].join(' + ').replaceAll('+ -', '− ')} = ${textOf(sum)} ${asset}`,
        ),
      ),
  }
}

export function checkPool({ day }: Evidence): Verdict {
  const rules = parseBoxRules(day.rules)
  const pools = poolOfDay(
    day.pool.map(({ asset, rewards, contributed }) => ({
      asset,
      rewards: unitsOf(rewards),
      contributed: unitsOf(contributed),
    })),
    rules,
  )
  return {
    isRight: pools.every(({ units }, index) => units === unitsOf(day.pool[index]?.pool ?? '')),
    facts: day.pool
      .filter(({ rewards }) => unitsOf(rewards) > 0n)
      .map(({ asset, rewards, contributed }, index) =>
        computed(
          `asset_${index}`,
          `min(${rewards}, ${contributed}) ÷ ${rules.poolParts} = ${textOf(pools.find((pool) => pool.asset === asset)?.units)} ${asset}`,
        ),
      ),
  }
}

export function checkShare({ day, box }: Evidence): Verdict {
  const shares = rewardOf({
    pool: day.pool.map(({ asset, pool }) => ({ asset, units: unitsOf(pool) })),
    power: unitsOf(box.power),
    totalPower: unitsOf(day.total_power),
  })
  const isEqual =
    shares.length === box.rewards.length &&
    shares.every(({ asset, units }) =>
      box.rewards.some((reward) => reward.asset === asset && unitsOf(reward.amount) === units),
    )
  return {
    isRight: isEqual,
    facts: shares.map(({ asset, units }, index) => {
      const pool = day.pool.find((each) => each.asset === asset)?.pool
      return computed(`asset_${index}`, `${pool} × ${box.power} ÷ ${day.total_power} = ${textOf(units)} ${asset}`)
    }),
  }
}

export function unitsOf(amount: string): bigint {
  const units = parseUnits(amount, DECIMALS)
  if (units === undefined) throw new RangeError(`unitsOf: ${amount} is not an amount`)
  return units
}

/** Of an amount that may be negative. */
function signedUnitsOf(amount: string): bigint {
  return amount.startsWith('-') ? -unitsOf(amount.slice(1)) : unitsOf(amount)
}

function sumOf(amounts: readonly string[]): bigint {
  return amounts.reduce((sum, amount) => sum + signedUnitsOf(amount), 0n)
}

function textOf(units = 0n): string {
  return formatUnits(units, DECIMALS)
}
