import { Button, buttonClass } from '@clearwell/ui/components/button.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { HashText } from '@clearwell/ui/components/hash-text.tsx'
import { ProgressSteps, type Step } from '@clearwell/ui/components/progress-steps.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { useJustEnded } from '@clearwell/ui/components/success.tsx'
import { withWholeParts } from '@clearwell/ui/components/whole-parts.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { GatedButton } from '../account/gated-button.tsx'
import { NextStepLink } from '../account/next-step-link.tsx'
import type { Config } from '../api/config.ts'
import { m } from '../generated/messages.ts'
import { BigAmount } from './big-amount.tsx'
import { failureTexts } from './failure-text.ts'
import { FoldedSteps, PaymentDone } from './payment-done.tsx'
import {
  isAsking,
  type PaymentState,
  paymentSteps,
  requestNumber,
  type StepKey,
  type StepState,
} from './payment-state.ts'
import { RetrieveButton } from './retrieve-button.tsx'
import type { Payment, PaymentPurpose } from './use-payment.ts'

interface PaymentScreenProps {
  readonly config: Config
  readonly purpose: PaymentPurpose
  readonly payment: Payment
  readonly onPay: () => void
  readonly aside?: ReactNode
  /** Counts down while the payment can still be sent. */
  readonly timeLeft?: string | undefined
  /** More facts above the hashes. */
  readonly facts?: readonly { label: string; value: string }[]
  /** Below the sentence that says the next step. */
  readonly notes?: ReactNode
  readonly children?: ReactNode
}

/** A payment, step by step, from the wallet to its end. It continues when the page is left. */
export function PaymentScreen(props: PaymentScreenProps) {
  const { config, purpose, payment, onPay, aside, timeLeft, facts = [], notes, children } = props
  const { state, failure, record } = payment
  const { texts, amount, asset, order, orderId } = purpose
  const hash = order?.tx_hash ?? record?.hash ?? record?.failedHash
  const mayBeLost = state === 'no_response' || state === 'expired' || record?.failedHash !== undefined
  const steps = <ProgressSteps label={texts.progress} steps={texts.ended ?? stepsOf(purpose, payment, timeLeft)} />
  const isNew = useJustEnded(state === 'done')
  const isDone = state === 'done' && purpose.done !== undefined
  return (
    <Screen
      title={isDone ? purpose.done.title : texts.title}
      aside={aside}
      action={<PaymentAction {...{ purpose, payment, onPay }} />}
    >
      {isDone ? (
        <>
          <PaymentDone config={config} purpose={purpose} payment={payment} isNew={isNew} />
          <FoldedSteps label={texts.progress}>{steps}</FoldedSteps>
        </>
      ) : (
        <>
          <BigAmount label={texts.amountLabel} amount={amount} asset={asset} />
          {failure && <FailureAlert config={config} purpose={purpose} payment={payment} />}
          <Card>{steps}</Card>
          {(!failure || state === 'overdue') && (
            <p role="status" className={SENTENCE_LOOKS[state] ?? 'text-muted'}>
              {withWholeParts(texts.say[state] ?? sentenceOf(payment, texts.unpaid))}
            </p>
          )}
        </>
      )}
      {notes}
      <Card className="py-2">
        <FactList facts={[...facts, ...hashFacts({ config, orderId, hash, approvalHash: record?.approvalHash })]} />
      </Card>
      {mayBeLost && purpose.isRetrievable && <RetrieveButton />}
      {children}
    </Screen>
  )
}

function PaymentAction({
  purpose: { texts, again },
  payment: { state, record },
  onPay,
}: {
  purpose: PaymentPurpose
  payment: Payment
  onPay: () => void
}) {
  const wasPrepared = record?.permitted === true || record?.approvalHash !== undefined
  const request = requestNumber(state, { wasPrepared })
  if (request !== undefined) return <Button busy>{m.payment_asks_twice({ n: request })}</Button>
  if (state === 'ready' || state === 'stopped' || state === 'no_response') {
    const { label, ...look } = {
      ready: { label: texts.pay, icon: 'wallet' as const },
      stopped: { label: m.app_retry(), icon: 'refresh-cw' as const },
      no_response: { label: m.payment_send_again(), icon: 'refresh-cw' as const, look: 'quiet' as const },
    }[state]
    return (
      <GatedButton needs="session" onClick={onPay} {...look}>
        {label}
      </GatedButton>
    )
  }
  if (!again) return null
  if (state === 'expired')
    return (
      <Link to={again.to} replace className={buttonClass()}>
        {again.label}
      </Link>
    )
  const isIn = again.to === '/{-$locale}/wallet/buy'
  const toWallet = (
    <Link to="/{-$locale}/wallet" className={buttonClass(state === 'done' && !isIn ? 'main' : 'quiet')}>
      {m.payment_to_wallet()}
    </Link>
  )
  if (state !== 'done') return toWallet
  return (
    <div className="flex flex-col gap-3">
      {isIn && <NextStepLink />}
      <div className="flex flex-wrap gap-3 *:grow">
        <Link to={again.to} replace className={buttonClass('quiet')}>
          {again.label}
        </Link>
        {toWallet}
      </div>
    </div>
  )
}

const SENTENCE_LOOKS: Partial<Record<PaymentState, string>> = {
  no_response: 'text-warn',
  overdue: 'text-warn',
  done: '',
}

function sentenceOf({ state, record }: Payment, unpaid: string): string {
  switch (state) {
    case 'ready':
      return record?.approved ? m.payment_say_approved() : m.payment_say_ready()
    case 'checking':
      return m.payment_say_checking()
    case 'signing':
    case 'approving':
    case 'paying':
      return m.payment_say_asking()
    case 'approval_sent':
      return m.payment_say_approving()
    case 'no_response':
      return m.payment_say_no_response()
    default:
      return unpaid
  }
}

function FailureAlert({ config, purpose, payment }: { config: Config; purpose: PaymentPurpose; payment: Payment }) {
  const { state, failure, record } = payment
  if (!failure) return null
  const { reason, revert, detail, lost } = failure
  const { asset, amount, texts, allowance } = purpose
  const [happened, ...more] = failureTexts(failure, {
    noResponse: state === 'no_response' ? (texts.say.no_response ?? m.payment_say_no_response()) : undefined,
    unpaid: texts.unpaid,
    held: texts.held,
    asset,
    coin: config.chain.native.symbol,
    network: config.chain.name,
  })
  const stillAllowed = state === 'stopped' && lost === undefined && allowance !== undefined && record?.approved === true
  const saysMore = detail !== '' && revert === undefined && (reason === 'reverted' || state === 'no_response')
  return (
    <div role="alert" className="flex gap-3 rounded-card border border-warn/50 p-4">
      <Icon name="triangle-alert" className="text-warn" />
      <div className="flex min-w-0 flex-1 flex-col gap-1 [overflow-wrap:anywhere]">
        <p className="text-warn">{happened}</p>
        {more.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {stillAllowed && (
          <p className="text-muted">{m.payment_approval_remains({ amount: `${formatAmount(amount)} ${asset}` })}</p>
        )}
        {saysMore && <p className="text-label text-muted">{m.payment_fail_detail({ detail })}</p>}
      </div>
    </div>
  )
}

function stepsOf(purpose: PaymentPurpose, payment: Payment, timeLeft: string | undefined): Step[] {
  const { texts, allowance } = purpose
  const { state, isPrepared, failure } = payment
  return paymentSteps(state, { isPrepared, hasFailed: failure !== undefined })
    .filter(({ key }) => key !== 'prepare' || allowance !== undefined || texts.prepare !== undefined)
    .map(({ key, state: step }) => {
      const detail = detailOf(key, step, purpose, payment)
      const counts = key === 'send' && step !== 'done' && timeLeft !== undefined
      return {
        label: labelOf(key, purpose, payment),
        state: step,
        ...(detail === undefined ? {} : { detail }),
        ...(counts ? { timeLeft } : {}),
      }
    })
}

function labelOf(key: StepKey, { texts, amount, asset }: PaymentPurpose, payment: Payment): string {
  switch (key) {
    case 'prepare': {
      const exact = { amount: `${formatAmount(amount)} ${asset}` }
      return texts.prepare ?? (isByPermit(payment) ? m.payment_step_permit(exact) : m.payment_step_approve(exact))
    }
    case 'send':
      return texts.send
    case 'block':
      return m.payment_step_block()
    case 'confirm':
      return m.payment_step_confirm()
    case 'settle':
      return texts.settle
  }
}

function detailOf(
  key: StepKey,
  step: StepState,
  { texts, order, allowance }: PaymentPurpose,
  payment: Payment,
): string | undefined {
  switch (key) {
    case 'prepare':
      if (allowance && isSkipped(step, payment)) return m.payment_detail_allowed()
      return step === 'now' && allowance ? workOf(payment.state) : undefined
    case 'send':
    case 'block':
      return step === 'now' ? workOf(payment.state) : undefined
    case 'confirm':
      if (!order || step === 'todo') return undefined
      return m.payment_detail_count({ n: order.confirmations, m: order.required })
    case 'settle':
      return step === 'done' ? texts.settled : undefined
  }
}

/** Describes the step that the page waits for. */
function workOf(state: PaymentState): string | undefined {
  if (isAsking(state)) return m.payment_detail_wallet()
  if (state === 'checking') return m.payment_detail_checking()
  return state === 'approval_sent' || state === 'sent' ? m.payment_detail_block() : undefined
}

function isByPermit({ state, way, record }: Payment): boolean {
  return state === 'signing' || record?.permitted === true || (way === 'permit' && !record?.permitFailed)
}

/** Returns whether the vault could already take the amount, so no approval was needed. */
function isSkipped(step: StepState, { way, record }: Payment): boolean {
  if (step === 'todo') return way === 'allowed'
  return step === 'done' && record?.approved === true && record.approvalHash === undefined
}

/** The hashes and the order: to copy, and to open in the block explorer. */
function hashFacts({
  config,
  orderId,
  hash,
  approvalHash,
}: {
  config: Config
  orderId: string
  hash: string | undefined
  approvalHash: string | undefined
}) {
  const fact = (label: string, text: string | undefined, copyLabel: string, explorer: string | null) =>
    text === undefined ? [] : [{ label, value: <HashText hash={text} explorer={explorer} copyLabel={copyLabel} /> }]
  const explorer = config.chain.explorer_url
  return [
    ...fact(m.payment_hash(), hash, m.payment_copy_hash(), explorer),
    ...fact(m.payment_approval_hash(), approvalHash, m.payment_copy_approval_hash(), explorer),
    ...fact(m.payment_order(), orderId, m.payment_copy_order(), null),
  ]
}
