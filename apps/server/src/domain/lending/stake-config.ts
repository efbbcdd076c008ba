import * as z from 'zod/mini'
import { defineConfig, type ValuesOf } from '../../config/config-part.ts'
import { amount, asset, bps, configUnits, refuseZero } from '../../config/fields.ts'
import { withDefaults } from '../../config/with-defaults.ts'

const curve = z.strictObject({
  baseBps: bps.check(z.describe('the rate per year of a pool without loans')),
  kinkBps: z.int().check(z.gte(1), z.lte(9_999), z.describe('the utilisation above which the rate rises steeply')),
  slopeToKinkBps: bps.check(z.describe('added between no utilisation and the kink')),
  slopeAboveKinkBps: z.int().check(z.gte(0), z.lte(100_000), z.describe('added between the kink and full utilisation')),
  hourlyStepBps: z
    ._default(z.int().check(z.gte(1), z.lte(10_000)), 1_000)
    .check(z.describe('how much of its range the part above the kink moves in an hour at most')),
})

const factorBps = z.int().check(z.gte(10_000), z.lte(12_000))

const pool = z.strictObject({
  asset,
  curve,
  reserveBps: bps.check(z.describe("the reserve's part of the interest; the rest belongs to the pledgers")),
  minPledge: amount.check(z.describe('the minimum pledge')),
  minLoan: amount.check(z.describe('the minimum loan')),
})

const liquidation = z.strictObject({
  bonusBps: factorBps.check(
    z.describe('the value of the collateral that a liquidator receives for the debt: 10800 is 8% more'),
  ),
  overdueBonusBps: factorBps.check(z.describe('the same for an order that is only overdue')),
  floorBps: z
    ._default(factorBps, 10_200)
    .check(
      z.describe('the least of these: collateral that is worth less pays a part of the debt, and the rest is a loss'),
    ),
  wholeBps: z._default(bps, 9_000).check(z.describe('from this ratio on, one liquidation may end the whole debt')),
  partBps: z
    ._default(z.int().check(z.gte(1), z.lte(10_000)), 5_000)
    .check(z.describe('the most of a debt that one liquidation may end below that ratio')),
  smallOrderLoans: z
    ._default(z.int().check(z.gte(2), z.lte(1_000)), 4)
    .check(z.describe('one liquidation may end the whole debt while it is under this many least loans')),
})

const caps = withDefaults(
  z.strictObject({
    openOrders: z.int().check(z.gte(1), z.lte(10_000), z.describe('the most open orders of an account')),
    orderBps: bps.check(z.describe("the most of its pool's value that an order takes at its opening")),
    accountBps: bps.check(z.describe('the same for all orders of an account')),
  }),
  { openOrders: 200, orderBps: 2_000, accountBps: 4_000 },
)

const notice = withDefaults(
  z.strictObject({
    days: z.int().check(z.gte(7), z.lte(365), z.describe('how long before its effect a change is announced')),
    limitsDays: z
      .int()
      .check(z.gte(30), z.lte(365), z.describe('the same for limits, bonus and least amounts of lending')),
  }),
  { days: 7, limitsDays: 30 },
)

const ltv = z.strictObject({
  initialBps: bps.check(z.describe('the highest ratio of debt to collateral of a new loan')),
  warningBps: bps.check(z.describe('the borrower is warned from here on')),
  lastWarningBps: bps.check(z.describe('the borrower is warned for the last time')),
  liquidationBps: bps.check(z.describe('an order is to be cleared from here on')),
})

export const stakeConfig = defineConfig({
  shape: {
    stake: withDefaults(
      z.strictObject({
        pools: z.array(pool).check(z.describe('the assets that can be pledged and borrowed')),
        collateral: z.array(asset).check(z.minLength(1), z.describe('the assets that secure a loan')),
        ltv,
        liquidation,
        caps,
        rateNoticeFromBps: z
          ._default(bps, 100)
          .check(z.describe('a borrower is not notified of a doubled rate below this one')),
        notice,
        unknownPriceBps: z
          ._default(bps, 8_000)
          .check(z.describe('how much of its last price a collateral counts at while money has no price of it')),
        remindHours: z
          ._default(z.array(z.int().check(z.gte(1), z.lte(720))).check(z.minLength(1), z.maxLength(8)), [72, 24, 1])
          .check(z.describe('hours before the repayment time at which the borrower is reminded, falling')),
        termsDays: z
          .array(z.int().check(z.gte(1), z.lte(3_650)))
          .check(z.minLength(1), z.describe('the terms of a loan, in days')),
      }),
      {
        pools: [
          {
            asset: 'USDT',
            curve: { baseBps: 0, kinkBps: 8_000, slopeToKinkBps: 450, slopeAboveKinkBps: 7_500, hourlyStepBps: 1_000 },
            reserveBps: 1_000,
            minPledge: '1',
            minLoan: '10',
          },
          {
            asset: 'BNB',
            curve: { baseBps: 0, kinkBps: 6_500, slopeToKinkBps: 350, slopeAboveKinkBps: 6_000, hourlyStepBps: 1_000 },
            reserveBps: 1_000,
            minPledge: '0.001',
            minLoan: '0.02',
          },
        ],
        collateral: ['BNB', 'USDT', 'ETH'],
        ltv: { initialBps: 6_500, warningBps: 7_500, lastWarningBps: 8_000, liquidationBps: 8_300 },
        liquidation: {
          bonusBps: 10_800,
          overdueBonusBps: 10_500,
          floorBps: 10_200,
          wholeBps: 9_000,
          partBps: 5_000,
          smallOrderLoans: 4,
        },
        caps: { openOrders: 200, orderBps: 2_000, accountBps: 4_000 },
        rateNoticeFromBps: 100,
        notice: { days: 7, limitsDays: 30 },
        unknownPriceBps: 8_000,
        remindHours: [72, 24, 1],
        termsDays: [7, 30, 90, 180],
      },
    ),
  },
  check({ stake: { pools, ltv, liquidation, remindHours } }, fail) {
    if (new Set(pools.map((each) => each.asset)).size !== pools.length) fail('stake.pools has an asset twice')
    pools.forEach(({ minPledge, minLoan }, index) => {
      refuseZero(`stake.pools.${index}.minPledge`, minPledge, fail)
      refuseZero(`stake.pools.${index}.minLoan`, minLoan, fail)
    })
    const limits = [ltv.initialBps, ltv.warningBps, ltv.lastWarningBps, ltv.liquidationBps]
    if (limits.some((limit, index) => limit <= (limits[index - 1] ?? 0)))
      fail('stake.ltv must rise from initialBps over warningBps and lastWarningBps to liquidationBps')
    // Above it, a loan at the limit would already cost the pledgers.
    if (BigInt(ltv.liquidationBps) * BigInt(liquidation.bonusBps) > 10_000n * 10_000n)
      fail('stake.ltv.liquidationBps times stake.liquidation.bonusBps must not be above 100%')
    if (liquidation.floorBps > liquidation.overdueBonusBps || liquidation.overdueBonusBps > liquidation.bonusBps)
      fail('stake.liquidation must rise from floorBps over overdueBonusBps to bonusBps')
    if (liquidation.wholeBps < ltv.liquidationBps)
      fail('stake.liquidation.wholeBps must not be below stake.ltv.liquidationBps')
    // Else no part of the smallest of the larger orders would reach the least loan, and it could not be cleared.
    if (liquidation.smallOrderLoans * liquidation.partBps < 10_000)
      fail('stake.liquidation.partBps of smallOrderLoans least loans must not be under the least loan')
    if (remindHours.some((hours, index) => hours >= (remindHours[index - 1] ?? Number.POSITIVE_INFINITY)))
      fail('stake.remindHours must fall')
  },
})

const E14 = 10n ** 14n
const fraction = (bps: number) => BigInt(bps) * E14

/** The rules of a pool as the commands take them. */
export type PoolRules = ReturnType<typeof stakeRules>['pools'][number]

/** Parses the configuration into base units and fractions. */
export function stakeRules({
  stake: { pools, collateral, ltv, liquidation, caps, rateNoticeFromBps, unknownPriceBps, remindHours, termsDays },
}: ValuesOf<typeof stakeConfig.shape>) {
  return {
    pools: pools.map(({ asset, curve, reserveBps, minPledge, minLoan }) => ({
      asset,
      curve: {
        baseE18: fraction(curve.baseBps),
        kinkE18: fraction(curve.kinkBps),
        slopeToKinkE18: fraction(curve.slopeToKinkBps),
        slopeAboveKinkE18: fraction(curve.slopeAboveKinkBps),
        hourlyStepBps: BigInt(curve.hourlyStepBps),
      },
      reserveBps: BigInt(reserveBps),
      minPledge: configUnits(minPledge, asset),
      minLoan: configUnits(minLoan, asset),
    })),
    collateral,
    limits: {
      initialBps: BigInt(ltv.initialBps),
      warningBps: BigInt(ltv.warningBps),
      lastWarningBps: BigInt(ltv.lastWarningBps),
      liquidationBps: BigInt(ltv.liquidationBps),
    },
    liquidation: {
      bonusBps: BigInt(liquidation.bonusBps),
      overdueBonusBps: BigInt(liquidation.overdueBonusBps),
      floorBps: BigInt(liquidation.floorBps),
      wholeBps: BigInt(liquidation.wholeBps),
      partBps: BigInt(liquidation.partBps),
      smallOrderLoans: BigInt(liquidation.smallOrderLoans),
    },
    caps: {
      openOrders: caps.openOrders,
      orderBps: BigInt(caps.orderBps),
      accountBps: BigInt(caps.accountBps),
    },
    noticeFromE18: fraction(rateNoticeFromBps),
    unknownPriceBps: BigInt(unknownPriceBps),
    remindSeconds: remindHours.map((hours) => BigInt(hours) * 3_600n),
    termsDays,
  }
}
