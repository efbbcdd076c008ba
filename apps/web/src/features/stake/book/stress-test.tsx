import { cx } from '@clearwell/ui/browser/cx.ts'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { m } from '../../../generated/messages.ts'
import { amountWords } from '../stake-words.ts'
import { type StressedPool, type StressScenario, type StressTestResult, useStressTest } from './book.queries.ts'
import { STRESS } from './book.samples.ts'
import { barOf, isSome } from './stress-figures.ts'

/** The public stress test: the effect of named price moves on loans, insurance and pledgers, drawn and in a sentence each. */
export function StressTest() {
  const test = useStressTest()
  return (
    <Section title={m.book_stress()} action={test.isError && test.data && <Badge tone="warning">{m.ui_stale()}</Badge>}>
      <p className="text-secondary text-muted">{m.book_stress_text()}</p>
      <Loaded read={test} sample={STRESS}>
        {(result) =>
          result.price_time === null ? (
            <p className="py-3 text-warn">{m.book_stress_stale()}</p>
          ) : (
            <Scenarios result={result} />
          )
        }
      </Loaded>
    </Section>
  )
}

function Scenarios({ result }: { result: StressTestResult }) {
  const { scenarios, computed_at } = result
  const hasLoans = scenarios.some(({ loans }) => loans > 0)
  return (
    <>
      {hasLoans && <Legend />}
      <ul className="flex flex-col divide-y divide-line">
        {scenarios.map((scenario) => (
          <li key={`${scenario.asset} ${scenario.change}`} className="flex flex-col gap-2 py-3">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="figures font-semibold">
                {m.book_stress_of({
                  asset: scenario.asset,
                  change: formatPercent(scenario.change, { signed: true }),
                })}
              </span>
              <span className="figures text-secondary text-muted">
                {m.book_stress_price({ price: formatPrice(scenario.price) })}
              </span>
            </div>
            <ScenarioResult scenario={scenario} result={result} />
          </li>
        ))}
      </ul>
      <p className="text-label text-muted">{m.book_computed({ time: formatDateTime(computed_at) })}</p>
    </>
  )
}

function ScenarioResult({ scenario, result }: { scenario: StressScenario; result: StressTestResult }) {
  const hit = scenario.pools.filter(({ loans }) => loans > 0)
  if (hit.length === 0) return <p className="text-secondary text-muted">{m.book_stress_none()}</p>
  return (
    <>
      {hit.map((pool) => (
        <div key={pool.asset} className="flex flex-col gap-1">
          <Bar pool={pool} result={result} />
          <p className={cx('figures text-secondary', isSome(pool.lost_by_pledgers) ? 'text-warn' : 'text-muted')}>
            {poolText(pool)}
          </p>
        </div>
      ))}
      {!scenario.is_complete && <p className="text-secondary text-warn">{m.book_stress_at_least()}</p>}
    </>
  )
}

/** The payers of the liquidated debt: collateral, insurance, pledgers. The sentence under it says the same. */
function Bar({ pool, result }: { pool: StressedPool; result: StressTestResult }) {
  const { collateral, insurance, pledgers } = barOf(pool, result)
  return (
    <svg aria-hidden="true" viewBox="0 0 1000 12" preserveAspectRatio="none" className="h-3 w-full rounded-full">
      <rect width="1000" height="12" className="fill-input" />
      <rect width={collateral} height="12" className="fill-accent" />
      <rect x={collateral} width={insurance} height="12" className="fill-muted" />
      <rect x={collateral + insurance} width={pledgers} height="12" className="fill-warn" />
    </svg>
  )
}

function Legend() {
  return (
    <ul aria-hidden="true" className="flex flex-wrap gap-x-4 gap-y-1 pt-2 text-label text-muted">
      <LegendItem look="bg-accent" text={m.book_legend_collateral()} />
      <LegendItem look="bg-muted" text={m.book_legend_insurance()} />
      <LegendItem look="bg-warn" text={m.book_legend_pledgers()} />
    </ul>
  )
}

function LegendItem({ look, text }: { look: string; text: string }) {
  return (
    <li className="flex items-center gap-1">
      <span className={cx('size-2 rounded-full', look)} />
      {text}
    </li>
  )
}

/** One pool of a scenario in a sentence. */
function poolText({ asset, loans: n, debt, ...pool }: StressedPool): string {
  const amount = (text: string) => amountWords(text, asset)
  const values = { n, debt: amount(debt) }
  if (isSome(pool.lost_by_pledgers))
    return m.book_stress_lost({
      ...values,
      amount: amount(pool.paid_by_insurance),
      lost: amount(pool.lost_by_pledgers),
      percent: formatPercent(pool.pledgers_loss),
    })
  if (isSome(pool.shortfall)) return m.book_stress_insured({ ...values, amount: amount(pool.paid_by_insurance) })
  return m.book_stress_covered(values)
}
