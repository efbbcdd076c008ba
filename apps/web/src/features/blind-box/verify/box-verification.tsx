import { cx } from '@clearwell/ui/browser/cx.ts'
import { ProofSeal } from '@clearwell/ui/components/brand-mark.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Waiting } from '@clearwell/ui/components/stage-parts.tsx'
import { formatList } from '@clearwell/ui/i18n/format.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import type { Evidence, Fact as Figure, Origin, Step as VerifiedStep } from '@clearwell/verify/verify-box'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { OperatorContact } from '../../../account/operator-contact.tsx'
import { useConfig } from '../../../api/config.ts'
import { m } from '../../../generated/messages.ts'
import type { Box } from '../blind-box.queries.ts'
import { type Verification, verifyInWorker } from './run-verification.ts'
import { outcomeOf, type StepOutcome, sumOutcomes } from './step-outcome.ts'
import { factName, factValue, STEP_TEXTS, UNCHECKED_TEXTS, WARNING_TEXTS } from './step-texts.ts'

/** Verifies a box in this browser on a press, and shows each step with its inputs. */
export function BoxVerification({ box }: { box: Box }) {
  const config = useConfig()
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const verification = useMutation({
    meta: { silent: true },
    mutationFn: () => {
      stop.current = new AbortController()
      return verifyInWorker(box, { rpcUrl: config?.chain.rpc_url, signal: stop.current.signal })
    },
  })
  const { data, isPending, isError, error, mutate } = verification
  return (
    <section aria-label={m.verify_title()} className="flex flex-col gap-3">
      <h3 className="text-section">{m.verify_title()}</h3>
      {data ? (
        <VerifiedSteps verification={data} />
      ) : isError ? (
        <ErrorState error={error} onRetry={() => mutate()} />
      ) : (
        <p className="text-secondary text-muted">{m.verify_text()}</p>
      )}
      {isPending && <Waiting text={m.verify_running()} />}
      {!data && !isError && (
        <Button look="quiet" busy={isPending} onClick={() => mutate()}>
          {m.verify_action()}
        </Button>
      )}
    </section>
  )
}

/** The sum of the outcomes, then each step with its figures. */
export function VerifiedSteps({ verification: { steps, evidence } }: { verification: Verification }) {
  const sum = sumOutcomes(steps, evidence)
  return (
    <>
      <Headline sum={sum} />
      {sum.open.some(({ name, valid }) => name === 'root' && valid) && <WhyUnconfirmed evidence={evidence} sum={sum} />}
      {sum.wrong.length > 0 && <OperatorContact />}
      <ol className="flex flex-col divide-y divide-line">
        {steps.map((step, index) => (
          <li key={step.name}>
            <Step step={step} number={index + 1} evidence={evidence} />
          </li>
        ))}
      </ol>
      <p className="flex items-center justify-between gap-3 border-t border-line text-secondary text-muted">
        {m.verify_inputs()}
        <CopyButton text={JSON.stringify(evidence, undefined, 2)} label={m.verify_copy_inputs()} />
      </p>
    </>
  )
}

/** The seal is for all steps: one that is open or wrong takes it away. */
function Headline({ sum: { holds, wrong, open, needed } }: { sum: ReturnType<typeof sumOutcomes> }) {
  const isRight = wrong.length === 0 && open.length === 0
  return (
    <p role="status" className="flex items-center gap-3">
      {isRight ? (
        <ProofSeal className="size-8" />
      ) : wrong.length > 0 ? (
        <Icon name="circle-alert" className="size-6 text-down" />
      ) : (
        <Icon name="triangle-alert" className="size-6 text-warn" />
      )}
      <span className={cx('min-w-0 flex-1', wrong.length > 0 && 'text-down')}>
        {isRight
          ? m.verify_right({ m: needed })
          : sentences(
              m.verify_right_but({ n: holds.length, m: needed }),
              ...(wrong.length > 0 ? [m.verify_wrong({ steps: titlesOf(wrong) })] : []),
              ...(open.length > 0 ? [m.verify_open({ steps: titlesOf(open) })] : []),
            )}
      </span>
    </p>
  )
}

/** Why this browser cannot tell which of root and block came first, and where it could. */
function WhyUnconfirmed({
  evidence: { noted },
  sum: { needed },
}: {
  evidence: Evidence
  sum: ReturnType<typeof sumOutcomes>
}) {
  return (
    <p className="text-secondary text-muted">
      {sentences(noted ? m.verify_order_missed() : m.verify_order_elsewhere(), m.verify_order_next({ m: needed }))}
    </p>
  )
}

function titlesOf(steps: readonly VerifiedStep[]): string {
  return formatList(steps.map(({ name }) => STEP_TEXTS[name].title()))
}

const NOTE_TONES: Record<StepOutcome, string> = {
  holds: 'text-muted',
  wrong: 'text-down',
  unconfirmed: 'text-warn',
  unchecked: 'text-muted',
  unneeded: 'text-muted',
}

function Step({ step, number, evidence }: { step: VerifiedStep; number: number; evidence: Evidence }) {
  const { name, facts } = step
  const { title } = STEP_TEXTS[name]
  const outcome = outcomeOf(step, evidence)
  return (
    <details className="group">
      <summary className="flex min-h-16 cursor-pointer list-none items-center gap-3 py-2 [&::-webkit-details-marker]:hidden">
        <span
          aria-hidden="true"
          className="figures flex size-6 shrink-0 items-center justify-center rounded-full bg-input text-label text-muted"
        >
          {number}
        </span>
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="flex items-center gap-1 font-semibold">
            {title()}
            <Outcome outcome={outcome} />
          </span>
          <span className={cx('text-secondary', NOTE_TONES[outcome])}>{noteOf(step, outcome, evidence)}</span>
        </span>
        <Icon name="chevron-right" className="size-4 rotate-90 text-muted transition-transform group-open:-rotate-90" />
      </summary>
      <dl className="flex flex-col gap-2 ps-8 pb-3">
        {facts.map((fact) => (
          <Fact key={fact.name} fact={fact} />
        ))}
      </dl>
    </details>
  )
}

function noteOf({ name, warning }: VerifiedStep, outcome: StepOutcome, { noted }: Evidence): string {
  switch (outcome) {
    case 'wrong':
      return m.verify_step_wrong()
    case 'unneeded':
      return m.verify_block_unneeded()
    case 'unchecked':
      return UNCHECKED_TEXTS[name]?.() ?? ''
    case 'unconfirmed':
      return warning ? WARNING_TEXTS[warning]() : m.verify_root_never_seen()
    case 'holds':
      // Without a note of the click, the time of the commitment is the operator's statement.
      return name === 'commitment' && !noted?.commitment ? m.verify_commitment_unnoted() : STEP_TEXTS[name].text()
  }
}

function Outcome({ outcome }: { outcome: StepOutcome }) {
  if (outcome === 'holds' || outcome === 'wrong')
    return (
      <>
        <Icon
          name={outcome === 'holds' ? 'check' : 'circle-alert'}
          className={cx('size-4', outcome === 'holds' ? 'text-accent' : 'text-down')}
        />
        <span className="sr-only">{outcome === 'holds' ? m.verify_step_right() : m.verify_step_wrong()}</span>
      </>
    )
  if (outcome === 'unconfirmed')
    return (
      <>
        <Icon name="triangle-alert" className="size-4 text-warn" />
        <span className="text-label font-normal text-warn">{m.verify_unconfirmed()}</span>
      </>
    )
  return (
    <span className="text-label font-normal text-muted">
      {outcome === 'unneeded' ? m.verify_unneeded() : m.verify_unchecked()}
    </span>
  )
}

const ORIGINS: Record<Origin, () => string> = {
  given: m.verify_from_given,
  computed: m.verify_from_computed,
  read: m.verify_from_read,
  noted: m.verify_from_noted,
}

function Fact({ fact }: { fact: Figure }) {
  const name = factName(fact)
  return (
    <div>
      <dt className="text-label text-muted">
        {name === undefined ? ORIGINS[fact.from]() : `${name} · ${ORIGINS[fact.from]()}`}
      </dt>
      <dd title={fact.value} className="font-mono text-label whitespace-pre-wrap [overflow-wrap:anywhere]">
        {factValue(fact)}
      </dd>
    </div>
  )
}
