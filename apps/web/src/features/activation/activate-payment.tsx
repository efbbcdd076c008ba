import { type ReactNode, useEffect, useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccountAddress } from '../../account/use-account.ts'
import type { Config } from '../../api/config.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { ExternalLink } from '../../components/external-link.tsx'
import { lazySheet } from '../../components/lazy-part.tsx'
import { ProgressSteps } from '../../components/progress-steps.tsx'
import { Screen } from '../../components/screen.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatAmount, shortHex } from '../../i18n/format.ts'
import { Icon } from '../../icons/icon.tsx'
import { chainUnits } from '../../wallet/deposit-call.ts'
import { lostApprovalText, lostText } from '../../wallet/lost-text.ts'
import { usePayWay } from '../../wallet/pay-way.ts'
import { type Failure, type Paying, usePaying } from '../../wallet/paying.ts'
import { usePaymentRecords } from '../../wallet/payment-record.ts'
import { type ActivationOrder, type ActiveStatus, useAvailable } from './activation.queries.ts'
import { isCounted, payActivation, resumeActivation } from './pay-activation.ts'
import { type NextStep, paymentSteps, type StepKey } from './payment-steps.ts'
import { RetrieveButton } from './retrieve-button.tsx'

const ByWalletSheet = lazySheet(() => import('./by-wallet-sheet.tsx'))
const ByBalanceSheet = lazySheet(() => import('./by-balance-sheet.tsx'))

/** An order is there: its payment step by step, to the end without further action once it is sent. */
export function ActivatePayment({
  config,
  status,
  order,
  isStale,
  children,
}: {
  config: Config
  status: ActiveStatus
  order: ActivationOrder
  isStale: boolean
  children: ReactNode
}) {
  const [confirming, setConfirming] = useState<'wallet' | 'balance'>()
  const account = useAccountAddress()
  const known = usePaymentRecords(account).find(({ orderId }) => orderId === order.order_id)
  const counted = isCounted(known, order)
  const record = counted ? undefined : known
  const latest = usePaying(order.order_id)
  const paying = counted && !latest?.isRunning ? undefined : latest
  const asset = config.assets.find((each) => each.asset === order.asset)
  const way = usePayWay(
    asset && order.status === 'created' ? asset.address : undefined,
    asset ? chainUnits(order.amount, asset.decimals) : 0n,
  )
  const available = useAvailable(order.asset)
  const { steps, next } = paymentSteps({ order, record, paying })
  const amount = `${formatAmount(order.amount, { places: 18 })} ${order.asset}`
  const isUnderWay = next === 'wait' || next === 'answer_wallet'
  // A payment that came to nothing on the chain is told of by the record, after a reload too.
  const failure =
    paying?.failure ??
    (record?.failedHash === undefined
      ? undefined
      : ({ reason: 'payment_failed', detail: '', lost: record.failedBy } as const))
  const byPermit = paying?.stage === 'signing' || record?.permitted || (way === 'permit' && !record?.permitFailed)

  // Sent before this page was loaded: its block is waited for again. Nothing is asked of the wallet.
  const isSentBefore = record?.hash !== undefined && paying === undefined && order.status === 'created'
  useEffect(() => {
    if (isSentBefore) payActivation(account, order, config)
  }, [isSentBefore, account, order, config])
  const isApprovedBefore = next === 'pay' && record?.approvalHash !== undefined && record.approved !== true
  useEffect(() => {
    if (isApprovedBefore) resumeActivation(account, order, config)
  }, [isApprovedBefore, account, order, config])
  // What was read before may have been scrolled down to; the progress begins at the top.
  useEffect(() => {
    window.scrollTo(0, 0)
  }, [])
  useWarnOnLeaving(isUnderWay && paying?.isRunning === true)

  return (
    <Screen
      title={m.title_swap_activate()}
      aside={
        <span className="flex gap-2">
          {isStale && <Badge tone="warn">{m.ui_stale()}</Badge>}
          <Badge tone="accent">{m.activation_status_pending()}</Badge>
        </span>
      }
      action={isUnderWay ? undefined : <Action next={next} amount={amount} onPay={pay} />}
    >
      <Card title={m.activation_progress()} className="flex flex-col gap-4">
        <ProgressSteps
          label={m.activation_progress()}
          steps={steps.map(({ key, state }) => {
            const detail = detailOf(key)
            return { label: labelOf(key), state, ...(detail ? { detail } : {}) }
          })}
        />
        {order.status === 'created' && order.credited !== undefined && (
          <p role="status" className="border-t border-line pt-3 text-warn">
            {m.activation_part({ credited: `${formatAmount(order.credited, { places: 18 })} ${order.asset}`, amount })}
          </p>
        )}
        <div role="status" className="border-t border-line pt-3">
          {isUnderWay ? <WaitTip /> : null}
          <p className={isUnderWay ? 'pt-2 text-muted' : ''}>{whatNow(next)}</p>
        </div>
        {failure && !isUnderWay && <FailureNote failure={failure} next={next} config={config} />}
        <Hash hash={record?.hash ?? order.tx_hash ?? record?.failedHash} config={config} />
      </Card>
      {children}
      {isUnderWay ? null : (
        <Button look="quiet" onClick={payByBalance}>
          {m.activation_by_balance_action()}
        </Button>
      )}
      <RetrieveButton />
      {confirming === 'wallet' && (
        <ByWalletSheet
          config={config}
          price={{ price: order.amount, asset: order.asset }}
          order={order}
          onClose={() => setConfirming(undefined)}
        />
      )}
      {confirming === 'balance' && (
        <ByBalanceSheet
          price={status}
          available={available}
          isPaidByWallet={record?.hash !== undefined || record?.asked === true || order.credited !== undefined}
          onClose={() => setConfirming(undefined)}
        />
      )}
    </Screen>
  )

  function pay(): void {
    if (next === 'retry') payActivation(account, order, config)
    else setConfirming('wallet')
  }

  function payByBalance(): void {
    setConfirming('balance')
  }

  function labelOf(key: StepKey): string {
    switch (key) {
      case 'approve':
        return byPermit ? m.payment_stage_permit({ amount }) : m.activation_step_approve({ amount })
      case 'send':
        return m.activation_step_send({ amount })
      case 'seen':
        return m.activation_step_seen()
      case 'confirm':
        return m.activation_step_confirm({ n: order.confirmations, m: order.required })
      case 'activate':
        return m.activation_activated()
    }
  }

  function detailOf(key: StepKey): string | undefined {
    if (key === 'approve' && paying?.isRunning) return approveDetail(paying)
    if (key === 'send' && paying?.stage === 'paying' && paying.isRunning) return m.activation_in_wallet_now()
    if (key === 'seen' && paying?.stage === 'sent' && order.status === 'created') return m.activation_in_block()
    return undefined
  }
}

function approveDetail({ stage }: Paying): string | undefined {
  if (stage === 'checking') return m.activation_checking()
  if (stage === 'approving' || stage === 'signing') return m.activation_in_wallet_now()
  return stage === 'approval_sent' ? m.activation_in_block() : undefined
}

function whatNow(next: NextStep): string {
  switch (next) {
    case 'wait':
      return m.activation_say_wait()
    case 'answer_wallet':
      return m.activation_say_answer()
    case 'pay':
      return m.activation_say_pay()
    case 'retry':
      return m.activation_say_retry()
    case 'check_wallet':
      return m.activation_say_check()
  }
}

function WaitTip() {
  return (
    <p className="flex gap-2 text-warn">
      <Icon name="triangle-alert" />
      {m.activation_wait_tip()}
    </p>
  )
}

function Action({ next, amount, onPay }: { next: NextStep; amount: string; onPay: () => void }) {
  return (
    <GatedButton needs="session" onClick={onPay}>
      {next === 'pay'
        ? m.activation_pay({ amount })
        : next === 'retry'
          ? m.app_retry()
          : m.activation_pay_again({ amount })}
    </GatedButton>
  )
}

function FailureNote({ failure, next, config }: { failure: Failure; next: NextStep; config: Config }) {
  const { reason, detail } = failure
  return (
    <p role="alert" className="flex gap-2 rounded-control border border-down/50 p-3">
      <Icon name="circle-alert" className="text-down" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {failureText(failure, config)}
        {(reason === 'other' || reason === 'reverted') && <span className="block text-label text-muted">{detail}</span>}
        {next === 'retry' && failure.lost === undefined && (
          <span className="block text-muted">{m.activation_nothing_sent()}</span>
        )}
      </span>
    </p>
  )
}

function failureText({ reason, lost, revert }: Failure, { chain, fees }: Config): string {
  const coin = chain.native.symbol
  switch (reason) {
    case 'refused':
      return m.activation_fail_refused()
    case 'gas':
      return m.activation_gas_short({ coin })
    case 'token_not_enough':
      return m.activation_wallet_short({ asset: fees.activation.asset })
    case 'network':
      return m.app_network_wrong_text({ name: chain.name })
    case 'reverted':
      return revert === 'EnforcedPause' ? m.activation_fail_paused() : m.activation_fail_reverted()
    case 'approval_failed':
      return lostApprovalText(lost)
    case 'payment_failed':
      return lostText(lost ?? 'reverted')
    case 'call_differs':
      return m.activation_fail_differs()
    case 'other':
      return m.activation_fail_other()
  }
}

function Hash({ hash, config }: { hash: string | null | undefined; config: Config }) {
  if (!hash) return null
  const { explorer_url: explorer } = config.chain
  return (
    <p className="flex items-center justify-between gap-2 border-t border-line pt-2 text-label text-muted">
      {m.activation_hash()}
      <span className="figures flex items-center text-text">
        {explorer ? (
          <ExternalLink href={`${explorer}/tx/${hash}`} className="inline-flex min-h-11 items-center underline">
            {shortHex(hash)}
          </ExternalLink>
        ) : (
          shortHex(hash)
        )}
        <CopyButton text={hash} label={m.activation_copy_hash()} />
      </span>
    </p>
  )
}

/** While the wallet is being asked, leaving would lose its answer: the browser asks first. */
function useWarnOnLeaving(active: boolean): void {
  useEffect(() => {
    if (!active) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [active])
}
