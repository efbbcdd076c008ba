import { DEFAULT_BOX_RULES, faultOfBoxRules } from '@clearwell/rules/box-rules'
import * as z from 'zod/mini'
import { defineConfig } from '../../config/config-part.ts'
import { bps, opening, refuseEmptyOpening } from '../../config/fields.ts'
import { withDefaults } from '../../config/with-defaults.ts'

const DEFAULTS = DEFAULT_BOX_RULES
const days = z.int().check(z.gte(1), z.lte(90), z.meta({ title: 'days, 1 to 90' }))
const count = z.int().check(z.gte(1), z.lte(1_000))

/** A day keeps the rules that were published with its commitment, so a change counts for days that are not committed yet. */
export const boxNumbersSchema = z.strictObject({
  levelStepBps: z
    ._default(bps, DEFAULTS.levelStepBps)
    .check(z.describe('what each membership level adds to the level factor of 1')),
  streakStepBps: z
    ._default(bps, DEFAULTS.streakStepBps)
    .check(z.describe('what each consecutive day adds to the streak factor of 1')),
  streakMaxBps: z
    ._default(bps, DEFAULTS.streakMaxBps)
    .check(z.describe('the most that a streak adds; with the highest level it must stay under a factor of 1.2')),
  odds: z
    ._default(z.array(z.strictObject({ factor: count, tickets: count })).check(z.minLength(1), z.maxLength(20)), [
      ...DEFAULTS.odds,
    ])
    .check(z.describe('the factors of the draw and how many of 100 tickets each has')),
  feeDays: z._default(days, DEFAULTS.feeDays).check(z.describe('days before a day whose swap fees make power')),
  poolParts: z
    ._default(count, DEFAULTS.poolParts)
    .check(
      z.describe('a day divides at most one part of so many of `rewards`, and of what its box owners’ fees brought in'),
    ),
  claimableDays: z._default(days, DEFAULTS.claimableDays).check(z.describe('days in which a reward can be claimed')),
  blockMinutes: z
    ._default(z.array(z.int().check(z.gte(1), z.lte(1_440))).check(z.minLength(1), z.maxLength(20)), [
      ...DEFAULTS.blockMinutes,
    ])
    .check(z.describe('minutes after the end of a day at which its block can be due')),
  rootMarginMinutes: z
    ._default(z.int().check(z.gte(1), z.lte(60)), DEFAULTS.rootMarginMinutes)
    .check(z.describe('minutes that a root must be published before the time of its block')),
  revealHours: z
    ._default(z.int().check(z.gte(1), z.lte(24)), DEFAULTS.revealHours)
    .check(z.describe('hours after the block in which the seed must be published; later, the day is void')),
})

const blindBox = z.strictObject({
  opening: opening.check(z.describe('daily opening times of clicks in Hong Kong; claims have `claim.opening`')),
  allowsDraws: z
    .boolean()
    .check(
      z.describe('`false` where draws are not allowed: every box then draws ×1. It counts for days that close later'),
    ),
  rules: z
    ._default(boxNumbersSchema, { ...DEFAULTS, odds: [...DEFAULTS.odds], blockMinutes: [...DEFAULTS.blockMinutes] })
    .check(z.describe('the numbers of power, draw and reward, for days whose commitment is not published yet')),
})

/** Keys that the features `blind-box` and `node` read. */
export const boxConfig = defineConfig({
  shape: {
    blindBox: withDefaults(blindBox, {
      opening: 'always',
      allowsDraws: true,
      rules: { ...DEFAULTS, odds: [...DEFAULTS.odds], blockMinutes: [...DEFAULTS.blockMinutes] },
    }),
  },
  check({ blindBox: { opening: window, rules: numbers } }, fail) {
    refuseEmptyOpening('blindBox.opening', window, fail)
    const fault = faultOfBoxRules(numbers)
    if (fault) fail(`blindBox.rules: ${fault}`)
  },
  missingVariables({ blindBox: { allowsDraws } }, env) {
    const isMissing = env.profile !== 'local' && allowsDraws && !env.boxSeedKey
    const why = 'BOX_SEED_KEY must be set outside the local profile, or blindBox.allowsDraws must be false.'
    return new Map(isMissing ? [['BOX_SEED_KEY', why]] : [])
  },
})
