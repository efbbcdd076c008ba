import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { Section } from '@clearwell/ui/components/card.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { formatAmount, formatUsdt } from '@clearwell/ui/i18n/format.ts'
import { m } from '../../generated/messages.ts'
import { type ChangePart, changeParts, type Performance } from './summary-figures.ts'
import { momentText } from './value-over-time.tsx'

const PART_NAMES: Record<ChangePart['name'], () => string> = {
  transferred_in: m.history_steps_transferred_in,
  transferred_out: m.history_steps_transferred_out,
  activation: m.history_steps_activation,
  change: m.history_steps_change,
}

/** The figures that add up from the value at the start of the period to the value now. */
export function ValueSteps({ performance, total }: { performance: Performance; total: string | null }) {
  const { hidden } = useHiddenAmounts()
  const shown = (text: string, exact: string) =>
    hidden ? HIDDEN_TEXT : <span className="whitespace-nowrap" title={`${exact} USDT`}>{`${text} USDT`}</span>
  const { start_net_usdt: start } = performance
  return (
    <Section title={m.history_steps()}>
      <FactList
        facts={[
          {
            label: m.history_steps_start({ time: momentText(performance.since) }),
            value: shown(formatUsdt(start), start),
          },
          ...changeParts(performance).map(({ name, usdt }) => ({
            label: PART_NAMES[name](),
            value: shown(formatAmount(usdt, { decimals: 2, fixed: true, signed: true }), usdt),
          })),
          ...(total === null
            ? []
            : [{ label: m.history_steps_now(), value: <strong>{shown(formatUsdt(total), total)}</strong> }]),
        ]}
      />
    </Section>
  )
}
