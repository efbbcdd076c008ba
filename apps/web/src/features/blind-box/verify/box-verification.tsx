import { cx } from '@clearwell/ui/browser/cx.ts'
import { ProofSeal } from '@clearwell/ui/components/brand-mark.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Waiting } from '@clearwell/ui/components/stage-parts.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import type { Fact as Figure, Origin, Step as VerifiedStep } from '@clearwell/verify/verify-box'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { OperatorContact } from '../../../account/operator-contact.tsx'
import { useConfig } from '../../../api/config.ts'
import { m } from '../../../generated/messages.ts'
import type { Box } from '../blind-box.queries.ts'
import { type Verification, verifyInWorker } from './run-verification.ts'
import { factName, factValue, headlineOf, STEP_TEXTS, UNCHECKED_TEXTS, WARNING_TEXTS } from './step-texts.ts'

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
        <Steps verification={data} />
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

function Steps({ verification: { steps, evidence } }: { verification: Verification }) {
  const wrong = steps.filter(({ valid }) => valid === false)
  return (
    <>
      <p role="status" className="flex items-center gap-3">
        {wrong.length === 0 ? (
          <ProofSeal className="size-8" />
        ) : (
          <Icon name="circle-alert" className="size-6 text-warn" />
        )}
        <span className={cx('min-w-0 flex-1', wrong.length > 0 && 'text-warn')}>{headlineOf(steps)}</span>
      </p>
      {wrong.length > 0 && <OperatorContact />}
      <ol className="flex flex-col divide-y divide-line">
        {steps.map((step, index) => (
          <li key={step.name}>
            <Step step={step} number={index + 1} />
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

function Step({ step, number }: { step: VerifiedStep; number: number }) {
  const { name, valid, facts, warning } = step
  const { title } = STEP_TEXTS[name]
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
            <Verdict valid={valid} hasWarning={warning !== undefined} />
          </span>
          <span className={cx('text-secondary', valid === false || warning ? 'text-warn' : 'text-muted')}>
            {noteOf(step)}
          </span>
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

function noteOf({ name, valid, warning }: VerifiedStep): string {
  if (valid === undefined) return UNCHECKED_TEXTS[name]?.() ?? ''
  if (!valid) return m.verify_step_wrong()
  return warning ? WARNING_TEXTS[warning]() : STEP_TEXTS[name].text()
}

function Verdict({ valid, hasWarning }: { valid: boolean | undefined; hasWarning: boolean }) {
  if (valid === undefined) return <span className="text-label font-normal text-muted">{m.verify_unchecked()}</span>
  return (
    <>
      <Icon
        name={valid ? 'check' : 'circle-alert'}
        className={cx('size-4', valid && !hasWarning ? 'text-accent' : 'text-warn')}
      />
      <span className="sr-only">{valid ? m.verify_step_right() : m.verify_step_wrong()}</span>
    </>
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
