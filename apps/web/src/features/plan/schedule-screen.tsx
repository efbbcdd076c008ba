import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { DayField, SelectField } from '@clearwell/ui/components/choice-fields.tsx'
import { lazySheet, usePreloaded } from '@clearwell/ui/components/lazy-part.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { ShownAmounts } from '@clearwell/ui/components/shown-amounts.tsx'
import { Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { useState } from 'react'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { type Market, PlanFormScreen, WithMarket } from './plan-form-screen.tsx'
import { readPlanDraft } from './plan-search.ts'
import { HOURS, hourText, runText, typedDay } from './plan-times.ts'
import { everyText } from './plan-words.ts'
import { INTERVALS, type ScheduleForm, useScheduleForm } from './schedule-form.ts'
import { TradeFields } from './trade-fields.tsx'

const ScheduleConfirmSheet = lazySheet(() => import('./schedule-confirm-sheet.tsx'))
const SHEETS = [ScheduleConfirmSheet]

/** Plans a swap that repeats at an hour. */
export default function ScheduleScreen() {
  return <WithMarket title={m.plan_schedule_title()}>{(market) => <SchedulePlan market={market} />}</WithMarket>
}

function SchedulePlan({ market }: { market: Market }) {
  const form = useScheduleForm(market, useReadSearch(readPlanDraft))
  const [isPressed, setPressed] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  usePreloaded(SHEETS)
  const { units, times, slippage, runs, maxSkipped } = form
  const amount = form.amount.replace(/\.$/, '')
  const plan =
    units !== undefined && !isTooSmall(form) && times && runs[0]
      ? { trade: form.trade, amount, times, slippage, firstRun: runs[0], maxSkipped }
      : undefined
  function press(): void {
    setPressed(true)
    setConfirming(plan !== undefined)
  }
  return (
    <PlanFormScreen
      title={m.plan_schedule_title()}
      market={market}
      trade={form.trade}
      isReady={plan !== undefined}
      onPress={press}
    >
      <TradeFields
        form={form}
        label={form.trade.inverse ? m.plan_run_spent() : m.plan_run_sold()}
        error={isPressed ? amountError(form) : undefined}
        hint={m.plan_least_worth({ least: form.leastWorth })}
      />
      {form.isShort && <Warning text={m.plan_schedule_short()} />}
      <TimeFields form={form} />
      <SlippageField form={form} />
      <NextRuns form={form} />
      {isConfirming && plan && <ScheduleConfirmSheet plan={plan} onClose={() => setConfirming(false)} />}
    </PlanFormScreen>
  )
}

function amountError(form: ScheduleForm): string | undefined {
  if (form.units === undefined) return m.plan_enter_amount()
  return isTooSmall(form) ? m.plan_least_worth({ least: form.leastWorth }) : undefined
}

/** Only an amount in USDT is known to be too small: the server values another by the spot price. */
function isTooSmall({ trade, isTooSmall }: ScheduleForm): boolean {
  return trade.inverse && isTooSmall(trade.pair.price)
}

/** How often, at which hour, from when, until when. */
function TimeFields({ form }: { form: ScheduleForm }) {
  const { today, every, hour, firstText, hasEnd, lastText } = form
  const isDay = (text: string) => typedDay(text) !== undefined
  return (
    <>
      <SegmentedControl
        label={m.plan_every()}
        options={INTERVALS.map((value) => ({ value, label: everyText(value) }))}
        value={every}
        onChange={form.setEvery}
      />
      <div className="grid grid-cols-2 gap-3">
        <DayField
          label={m.plan_first_day()}
          value={firstText}
          onChange={form.setFirstDay}
          isDay={isDay}
          min={today}
          error={form.isFirstPast ? m.plan_day_past() : undefined}
        />
        <SelectField label={m.plan_hour()} value={String(hour)} onChange={(value) => form.setHour(Number(value))}>
          {HOURS.map((each) => (
            <option key={each} value={each}>
              {hourText(each)}
            </option>
          ))}
        </SelectField>
      </div>
      <SegmentedControl
        label={m.plan_end()}
        options={[
          { value: 'open', label: m.plan_end_open() },
          { value: 'day', label: m.plan_end_day() },
        ]}
        value={hasEnd ? 'day' : 'open'}
        onChange={(value) => form.setHasEnd(value === 'day')}
      />
      {hasEnd && (
        <DayField
          label={m.plan_last_day()}
          value={lastText}
          onChange={form.setLastDay}
          isDay={isDay}
          min={firstText === '' ? today : firstText}
          error={form.isLastEarly ? m.plan_end_early() : undefined}
        />
      )}
    </>
  )
}

/** How far a run may be from the market. */
function SlippageField({ form: { slippage, slippages, setSlippage, trade } }: { form: ScheduleForm }) {
  return (
    <div className="flex flex-col gap-2">
      <span aria-hidden="true" className="text-label text-muted">
        {m.plan_slippage()}
      </span>
      <SegmentedControl
        label={m.plan_slippage()}
        options={slippages.map((value) => ({ value, label: formatPercent(value) }))}
        value={slippage}
        onChange={setSlippage}
      />
      <p className="text-label text-muted">
        {trade.pair.spot_symbol === null ? m.plan_slippage_mean() : m.plan_slippage_spot()}
      </p>
    </div>
  )
}

/** The next runs, by day and hour. */
function NextRuns({ form: { runs, amount, units, sold } }: { form: ScheduleForm }) {
  return (
    <Section title={m.plan_next_runs()}>
      {runs.length === 0 ? (
        <p className="text-muted">{m.plan_no_run()}</p>
      ) : (
        <ol className="flex flex-col divide-y divide-line">
          {runs.map((run) => (
            <li key={run} className="figures flex min-h-11 items-center justify-between gap-3 py-2">
              <span>{runText(run)}</span>
              {units !== undefined && (
                <ShownAmounts>
                  <AmountText amount={amount.replace(/\.$/, '')} asset={sold} />
                </ShownAmounts>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
