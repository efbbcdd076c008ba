import { cx } from '@clearwell/ui/browser/cx.ts'
import { ProofSeal } from '@clearwell/ui/components/brand-mark.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { OperatorContact } from '../../account/operator-contact.tsx'
import { m } from '../../generated/messages.ts'
import type { Comparison } from './compare-receipt.ts'
import type { Receipt } from './liquidation.queries.ts'
import { type ReceiptStep, stepsOf } from './receipt-steps.ts'

/** Each step of the formula with its numbers, recalculated here; a figure of the receipt is marked when it is equal. */
export function ReceiptReplay({ receipt, comparison }: { receipt: Receipt; comparison: Comparison }) {
  return (
    <Section title={m.liquidation_replay()}>
      <p className="flex items-center gap-3 pb-2">
        {comparison.isAllEqual ? <ProofSeal /> : <Icon name="circle-alert" className="size-6 text-warn" />}
        <span className={cx('min-w-0 flex-1 text-secondary', comparison.isAllEqual ? 'text-muted' : 'text-warn')}>
          {comparison.isAllEqual ? m.liquidation_replay_equal() : m.liquidation_replay_differs()}
        </span>
      </p>
      {!comparison.isAllEqual && <OperatorContact />}
      <ol className="flex flex-col divide-y divide-line">
        {stepsOf(receipt, comparison).map((step, index) => (
          <Step key={step.id} step={step} number={index + 1} />
        ))}
      </ol>
      <p className="flex items-center justify-between gap-3 border-t border-line text-secondary text-muted">
        {m.liquidation_inputs()}
        <CopyButton text={inputsText(receipt)} label={m.liquidation_copy_inputs()} />
      </p>
    </Section>
  )
}

function Step({ step, number }: { step: ReceiptStep; number: number }) {
  const { title, formula, result, exact, note, isEqual, computed } = step
  return (
    <li className="flex gap-3 py-3">
      <span
        aria-hidden="true"
        className="figures flex size-6 shrink-0 items-center justify-center rounded-full bg-input text-label text-muted"
      >
        {number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex items-baseline justify-between gap-x-3">
          <span className="min-w-0 text-secondary text-pretty text-muted">{title}</span>
          <span className="figures flex shrink-0 items-center gap-1 font-semibold" title={exact} data-exact={exact}>
            {result}
            {isEqual && <Icon name="check" className="size-4 text-accent" />}
            {isEqual && <span className="sr-only">{m.liquidation_step_equal()}</span>}
          </span>
        </div>
        {formula && <span className="figures text-secondary [overflow-wrap:anywhere]">{`= ${formula}`}</span>}
        {note && <span className="text-label text-muted">{note}</span>}
        {!isEqual && (
          <span className="text-secondary text-warn">{m.liquidation_step_differs({ amount: computed })}</span>
        )}
      </div>
    </li>
  )
}

/** The inputs and results as plain JSON, for a calculation elsewhere. */
function inputsText(receipt: Receipt): string {
  return JSON.stringify(receipt, undefined, 2)
}
