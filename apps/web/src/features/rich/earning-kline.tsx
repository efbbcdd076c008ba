import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { Section } from '@clearwell/ui/components/card.tsx'
import { CandleChart } from '@clearwell/ui/components/chart/candle-chart.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { useState } from 'react'
import { m } from '../../generated/messages.ts'
import { dayText, summarizeEarnings } from './earning-summary.ts'
import { type Earning, type Interval, useEarnings } from './rich.queries.ts'
import { EARNINGS } from './rich.samples.ts'
import { rtWords } from './rich-words.ts'

const INTERVALS: Readonly<Record<Interval, () => string>> = {
  '1d': m.rich_kline_days,
  '1w': m.rich_kline_weeks,
  '1M': m.rich_kline_months,
}

/** For a user who collected in the current one only. */
const SENTENCES_OF_ONE: Readonly<Record<Interval, typeof m.rich_kline_today>> = {
  '1d': m.rich_kline_today,
  '1w': m.rich_kline_this_week,
  '1M': m.rich_kline_this_month,
}

const SENTENCES: Readonly<Record<Interval, typeof m.rich_kline_text>> = {
  '1d': m.rich_kline_text,
  '1w': m.rich_kline_text_weeks,
  '1M': m.rich_kline_text_months,
}

const DECIMALS = 4

/** The running total of the RT that the user collected, as candles of days, weeks or months. */
export function EarningKline() {
  const [interval, setInterval] = useState<Interval>('1d')
  const earnings = useEarnings(interval)
  return (
    <Section title={m.rich_kline()}>
      <div className="flex flex-col gap-3">
        <SegmentedControl
          label={m.rich_kline_interval()}
          options={(Object.keys(INTERVALS) as Interval[]).map((each) => ({ value: each, label: INTERVALS[each]() }))}
          value={interval}
          onChange={setInterval}
        />
        <Loaded read={earnings} sample={EARNINGS}>
          {(candles) => <Candles candles={candles} interval={interval} />}
        </Loaded>
      </div>
    </Section>
  )
}

function Candles({ candles, interval }: { candles: readonly Earning[]; interval: Interval }) {
  const { hidden, hide } = useHiddenAmounts()
  const { total, best } = summarizeEarnings(candles)
  if (candles.length === 0) return <p className="text-muted">{m.rich_kline_none()}</p>
  const values = best && {
    count: candles.length,
    total: rtWords(total),
    best: rtWords(best.volume),
    day: dayText(best.time, interval),
  }
  const sentence = candles.length === 1 ? SENTENCES_OF_ONE : SENTENCES
  return (
    <>
      {values && <p className="text-muted">{hide(sentence[interval](values))}</p>}
      <CandleChart
        label={m.rich_kline()}
        candles={candles}
        formats={{
          decimals: DECIMALS,
          price: (amount) => (hidden ? HIDDEN_TEXT : formatAmount(amount, { decimals: DECIMALS, fixed: true })),
          base: 'RT',
          isTotal: true,
          isHidden: hidden,
        }}
      />
      <p className="text-secondary text-muted">{m.rich_kline_note()}</p>
    </>
  )
}
