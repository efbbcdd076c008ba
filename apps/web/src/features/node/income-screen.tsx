import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { TimeChart } from '@clearwell/ui/components/chart/time-chart.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { Stat } from '@clearwell/ui/components/stat.tsx'
import { formatAmount, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { useMemo, useState } from 'react'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useConfig } from '../../api/config.ts'
import { SumOfAssets } from '../../components/sum-of-assets.tsx'
import { m } from '../../generated/messages.ts'
import { Part } from '../../manifest/parts.ts'
import { IncomeCsv } from './income-csv.tsx'
import { incomePoints, rangeStart } from './income-days.ts'
import { type NodeIncome, useNodeIncome } from './node.queries.ts'
import { INCOME } from './node.samples.ts'

const RANGES = { month: 30, quarter: 90, year: 365 } as const
type Range = keyof typeof RANGES

/** The income of the user's boxes: by day as a chart, as a file, and box by box with the proof of each draw. */
export default function IncomeScreen() {
  const { signedIn } = useAccount()
  if (signedIn) return <MyIncome />
  return (
    <Screen title={m.nav_pool_income()}>
      <SignedOut icon="chart-no-axes-combined" title={m.node_income_signed_out()} />
    </Screen>
  )
}

function MyIncome() {
  const [range, setRange] = useState<Range>('month')
  const now = useConfig()?.time
  const from = useMemo(() => rangeStart(RANGES[range], now ? new Date(now) : new Date()), [range, now])
  const income = useNodeIncome(from)
  const { data } = income
  const [isKnown, setKnown] = useState(false)
  // The list of boxes stays when another range loads.
  if (!isKnown && data !== undefined) setKnown(true)
  return (
    <Screen title={m.nav_pool_income()} aside={income.isError && data && <Badge tone="warning">{m.ui_stale()}</Badge>}>
      <Card className="flex flex-col gap-3">
        <SegmentedControl
          label={m.node_range()}
          options={[
            { value: 'month', label: m.node_range_month() },
            { value: 'quarter', label: m.node_range_quarter() },
            { value: 'year', label: m.node_range_year() },
          ]}
          value={range}
          onChange={setRange}
        />
        {data ? (
          <Income income={data} />
        ) : income.isError ? (
          <ErrorState error={income.error} onRetry={income.refetch} />
        ) : (
          <Pending>
            <Income income={INCOME} />
          </Pending>
        )}
      </Card>
      {/* They load meanwhile, and appear with the chart, which would push them down. One error is enough. */}
      {(isKnown || !income.isError) && (
        <div className={isKnown ? 'contents' : 'hidden'}>
          <Part of="myBoxes" />
        </div>
      )}
      {data && data.items.length > 0 && (
        <>
          <IncomeCsv />
          <p className="text-secondary text-muted">{m.node_income_past()}</p>
        </>
      )}
    </Screen>
  )
}

function Income({ income: { series, totals } }: { income: NodeIncome }) {
  const { hidden } = useHiddenAmounts()
  const assets = totals.filter(({ amount }) => /[1-9]/.test(amount)).map(({ asset }) => asset)
  const [chosen, setChosen] = useState<(typeof assets)[number]>()
  const asset = chosen && assets.includes(chosen) ? chosen : assets[0]
  const points = useMemo(() => (asset ? incomePoints(series, asset) : []), [series, asset])
  if (!asset) return <p className="text-muted">{m.node_income_none()}</p>
  const amountText = (value: string) =>
    hidden ? HIDDEN_TEXT : `${formatAmount(value, { decimals: significantDecimals(value) })} ${asset}`
  return (
    <>
      <Stat label={m.node_income_sum()} value={<SumOfAssets amounts={totals} />} />
      {assets.length > 1 && (
        <SegmentedControl
          label={m.node_income_asset()}
          options={assets.map((each) => ({ value: each, label: each }))}
          value={asset}
          onChange={setChosen}
        />
      )}
      <TimeChart label={m.node_income_by_day({ coin: asset })} points={points} formatValue={amountText} height="h-40" />
    </>
  )
}
