import { parseArgs } from 'node:util'
import type { LendingRules } from '@clearwell/server/src/domain/lending/lending-parameters.ts'
import { stakeConfig, stakeRules } from '@clearwell/server/src/domain/lending/stake-config.ts'
import { formatTable } from '../../../scripts/format-table.ts'
import { wholeNumber } from '../whole-number.ts'
import { aavePrincipal, runAavePath } from './aave-book.ts'
import { createRandom, type PriceStep, pricePath } from './price-paths.ts'
import { principalOf, type ShockCounts, ShockedBook } from './shocked-book.ts'
import { type LoanPlan, PLEDGES, type Pooled, planLoans } from './shocked-loans.ts'

/** Of the pledges, in `insurance`. */
const INSURANCE_SHARE = 0.01

/** Losses of one path, in parts of the pledges. */
interface PathLosses {
  readonly insured: number
  readonly uninsured: number
  readonly aaveSame: number
  readonly aaveOwn: number
}

/**
 * Runs seeded price paths with jumps from -90 % to +900 % and gaps without a price on books of loans: on the server's own
 * commands, and on a model of Aave v3 with its published parameters. Throws at the first book that does not balance, at a
 * liquidation on a stale price, and where the leader's indexes miss an order.
 */
export async function simShocks(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { paths: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
  })
  const paths = wholeNumber('--paths', values.paths)
  const seed = wholeNumber('--seed', values.seed)
  console.log(`${paths} paths from seed ${seed}.`)
  const startedMs = performance.now()
  const { losses, counts } = runShocks({
    paths,
    seed,
    onPath: (done) => done % 1_000 === 0 && console.log(`… ${done}`),
  })
  const { checks, liquidations, staleAttempts, repaid } = counts
  console.log(
    `  ${checks} steps, each with balanced books; ${liquidations} orders liquidated and ${repaid} repaid; ` +
      `${staleAttempts} attempts to liquidate on a stale price, all rejected; ` +
      `${((performance.now() - startedMs) / 1_000).toFixed(0)} s`,
  )
  printTable(losses)
}

/** @throws Error with the number of the path and what is wrong. */
export function runShocks({
  paths,
  seed,
  onPath = () => {},
}: {
  readonly paths: number
  readonly seed: number
  readonly onPath?: (done: number) => void
}): { readonly losses: readonly PathLosses[]; readonly counts: ShockCounts } {
  const rules = { ...stakeRules({ stake: stakeConfig.shape.stake.parse(undefined) }), version: 1 }
  const counts: ShockCounts = { checks: 0, liquidations: 0, staleAttempts: 0, repaid: 0 }
  const losses = Array.from({ length: paths }, (_, index) => {
    const random = createRandom(seed * 1_000_003 + index)
    const plans = planLoans(random)
    const path = pricePath(random)
    try {
      const found = lossesOf(rules, plans, path, counts)
      onPath(index + 1)
      return found
    } catch (error) {
      throw new Error(`path ${index} of seed ${seed}`, { cause: error })
    }
  })
  return { losses, counts }
}

function lossesOf(
  rules: LendingRules,
  plans: readonly LoanPlan[],
  path: readonly PriceStep[],
  counts: ShockCounts,
): PathLosses {
  const book = new ShockedBook(rules, plans, counts, INSURANCE_SHARE)
  for (const [index, step] of path.entries()) book.step(index, step)
  const same = runAavePath(plans, path, (plan) => principalOf(plan, rules))
  const own = runAavePath(plans, path, aavePrincipal)
  return {
    insured: shareOf((asset) => book.losses(asset).pledgers),
    uninsured: shareOf((asset) => book.losses(asset).pledgers + book.losses(asset).insurance),
    aaveSame: same,
    aaveOwn: own,
  }
}

/** The loss of each pool in parts of its pledges, averaged over the pools. */
function shareOf(lost: (asset: Pooled) => bigint): number {
  const assets = ['USDT', 'BNB'] as const
  const shares = assets.map((asset) => Number(lost(asset)) / 1e18 / PLEDGES[asset])
  return shares.reduce((sum, each) => sum + each, 0) / assets.length
}

function printTable(losses: readonly PathLosses[]): void {
  const percent = (value: number) => `${(100 * value).toFixed(2)} %`
  const row = (what: string, of: (losses: PathLosses) => number) => {
    const sorted = losses.map(of).toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
    const hit = sorted.filter((value) => value > 0).length / sorted.length
    const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length
    return [what, percent(hit), percent(mean), percent(at(0.5)), percent(at(0.99)), percent(sorted.at(-1) ?? 0)]
  }
  const head = ['loss of the pledgers, of their pledges', 'paths', 'mean', 'median', 'p99', 'worst']
  console.log(
    `\n${formatTable([
      head,
      row(`Clearwell, insurance of ${percent(INSURANCE_SHARE)}`, ({ insured }) => insured),
      row('Clearwell without insurance', ({ uninsured }) => uninsured),
      row('Aave v3, the same loans', ({ aaveSame }) => aaveSame),
      row('Aave v3, the same share of its limits', ({ aaveOwn }) => aaveOwn),
    ])}`,
  )
}
