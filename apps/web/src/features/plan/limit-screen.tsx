import { AmountField } from '@clearwell/ui/components/amount-field.tsx'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { DayField } from '@clearwell/ui/components/choice-fields.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { lazySheet, usePreloaded } from '@clearwell/ui/components/lazy-part.tsx'
import { PercentSteps, percentText } from '@clearwell/ui/components/percent-steps.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { ShownAmounts } from '@clearwell/ui/components/shown-amounts.tsx'
import { Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { formatDay } from '@clearwell/ui/i18n/format-date.ts'
import { formatPrice, PRICE_DECIMALS } from '@clearwell/ui/i18n/price-text.ts'
import { useState } from 'react'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { LIMIT_DAYS, type LimitDays, type LimitForm, PRICE_STEPS, useLimitForm } from './limit-form.ts'
import { type Market, PlanFormScreen, WithMarket } from './plan-form-screen.tsx'
import { readPlanDraft } from './plan-search.ts'
import { typedDay } from './plan-times.ts'
import { TradeFields } from './trade-fields.tsx'

const LimitConfirmSheet = lazySheet(() => import('./limit-confirm-sheet.tsx'))
const SHEETS = [LimitConfirmSheet]

const DAY_NAMES: Record<LimitDays, () => string> = {
  '1': m.plan_days_1,
  '7': m.plan_days_7,
  '30': m.plan_days_30,
  own: m.plan_days_own,
}

/** Plans a swap at a price or a better one. */
export default function LimitScreen() {
  return <WithMarket title={m.plan_limit_title()}>{(market) => <LimitPlan market={market} />}</WithMarket>
}

function LimitPlan({ market }: { market: Market }) {
  const form = useLimitForm(market, useReadSearch(readPlanDraft))
  const [isPressed, setPressed] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  usePreloaded(SHEETS)
  const { units, price, lastDay, least } = form
  const plan =
    units !== undefined && price !== undefined && lastDay !== undefined && least !== undefined && !amountError(form)
      ? { trade: form.trade, amount: form.amount.replace(/\.$/, ''), price, lastDay, least }
      : undefined
  function press(): void {
    setPressed(true)
    setConfirming(plan !== undefined)
  }
  return (
    <PlanFormScreen
      title={m.plan_limit_title()}
      market={market}
      trade={form.trade}
      isReady={plan !== undefined}
      onPress={press}
    >
      <TradeFields
        form={form}
        label={form.trade.inverse ? m.plan_amount_spent() : m.plan_amount_sold()}
        error={isPressed ? amountError(form) : undefined}
        hint={m.plan_least_worth({ least: form.leastWorth })}
      />
      {form.isShort && <Warning text={m.plan_limit_short()} />}
      <PriceField form={form} error={isPressed && price === undefined ? m.plan_enter_price() : undefined} />
      <LastDay form={form} />
      {form.isReached && <Warning text={m.plan_limit_reached()} />}
      <LimitFigures form={form} />
      {isConfirming && plan && <LimitConfirmSheet plan={plan} onClose={() => setConfirming(false)} />}
    </PlanFormScreen>
  )
}

function amountError({ units, price, isTooSmall, leastWorth, isOutOfReach }: LimitForm): string | undefined {
  if (units === undefined) return m.plan_enter_amount()
  if (price !== undefined && isTooSmall(price)) return m.plan_least_worth({ least: leastWorth })
  return isOutOfReach ? m.plan_out_of_range() : undefined
}

/** The price, with the pool's beside it and buttons for some percent better. */
function PriceField({ form, error }: { form: LimitForm; error: string | undefined }) {
  const { trade, priceText, typePrice } = form
  const { pair, inverse } = trade
  return (
    <div className="flex flex-col gap-2">
      <AmountField
        label={inverse ? m.plan_price_buy({ asset: pair.base }) : m.plan_price_sell({ asset: pair.base })}
        value={priceText}
        onChange={typePrice}
        asset={pair.quote}
        decimals={PRICE_DECIMALS}
        error={error}
        hint={m.plan_pool_price({ price: formatPrice(pair.price) })}
      />
      <PercentSteps
        steps={PRICE_STEPS.map((percent) => {
          const text = percentText(inverse ? -percent : percent)
          return {
            text,
            label: m.plan_price_step({ percent: text }),
            isChosen: percent === form.step,
            onClick: () => form.takeStep(percent),
          }
        })}
      />
    </div>
  )
}

/** The last day of the limit. */
function LastDay({ form: { days, chooseDays, today, maxDay, ownDay, chooseDay, lastDay } }: { form: LimitForm }) {
  return (
    <div className="flex flex-col gap-2">
      <span aria-hidden="true" className="text-label text-muted">
        {m.plan_valid_for()}
      </span>
      <SegmentedControl
        label={m.plan_valid_for()}
        options={LIMIT_DAYS.map((value) => ({ value, label: DAY_NAMES[value]() }))}
        value={days}
        onChange={chooseDays}
      />
      {days === 'own' && (
        <DayField
          label={m.plan_last_day()}
          value={ownDay}
          onChange={chooseDay}
          isDay={(text) => typedDay(text) !== undefined}
          min={today}
          max={maxDay}
          error={lastDay === undefined ? m.plan_day_range({ day: formatDay(maxDay) }) : undefined}
        />
      )}
    </div>
  )
}

/** The least that is received, and the prices of the pool that matter. */
function LimitFigures({ form: { trade, bought, least, trigger, now, lastDay } }: { form: LimitForm }) {
  const { quote } = trade.pair
  const price = (text: string | undefined) =>
    text === undefined ? '—' : <span className="figures">{`${formatPrice(text)} ${quote}`}</span>
  return (
    <FactList
      facts={[
        {
          label: m.plan_least(),
          value:
            least === undefined ? (
              '—'
            ) : (
              <ShownAmounts>
                <AmountText amount={least} asset={bought} />
              </ShownAmounts>
            ),
        },
        { label: m.plan_now(), value: price(now) },
        { label: trade.inverse ? m.plan_trigger_buy() : m.plan_trigger_sell(), value: price(trigger) },
        { label: m.plan_last_day(), value: lastDay === undefined ? '—' : formatDay(lastDay) },
      ]}
    />
  )
}
