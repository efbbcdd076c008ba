import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccountAddress } from '../../account/use-account.ts'
import type { Config } from '../../api/config.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { lazySheet } from '../../components/lazy-part.tsx'
import { ProgressSteps, type Step } from '../../components/progress-steps.tsx'
import { Screen } from '../../components/screen.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatAmount } from '../../i18n/format.ts'
import { chainUnits } from '../../wallet/deposit-call.ts'
import { resumeApproval } from '../../wallet/pay-vault.ts'
import { type PayWay, usePayWay } from '../../wallet/pay-way.ts'
import { type PayStage, usePaying } from '../../wallet/paying.ts'
import type { PaymentRecord } from '../../wallet/payment-record.ts'
import { BigAmount } from './big-amount.tsx'
import { Alert, failureText, WalletSaid } from './failure-note.tsx'
import { payTransfer } from './pay-transfer.ts'
import { TransferHashes } from './transfer-hashes.tsx'
import { type BuyOrder, isNothingSent, type NextStep, type Stage, transferStages } from './transfer-stages.ts'
import { chainAssets } from './wallet.queries.ts'

const RetrieveSheet = lazySheet(() => import('./retrieve-sheet.tsx'))

interface SendInProps {
  readonly config: Config
  readonly order: BuyOrder | undefined
  readonly record: PaymentRecord | undefined
  readonly orderId: string
  readonly stale: boolean
}

/** A transfer in, from the wallet to the balance. */
export function SendIn({ config, order, record, orderId, stale }: SendInProps) {
  const account = useAccountAddress()
  const paying = usePaying(orderId)
  const [retrieving, setRetrieving] = useState(false)
  const onServer = order?.status === 'seen' || order?.status === 'credited'
  const assetId = order?.asset ?? record?.transfer?.asset ?? ''
  const amount = order?.amount ?? record?.transfer?.amount ?? '0'
  const asset = chainAssets(config).assets.find((each) => each.asset === assetId)
  const units = asset ? chainUnits(amount, asset.decimals) : 0n
  const way = usePayWay(asset && !onServer ? asset.address : undefined, units)
  const { stages, next } = transferStages({ native: asset?.kind === 'native', order, record, paying })
  const isLost = !onServer && record?.failedHash !== undefined
  const step = paying?.isRunning ? paying.stage : undefined
  const isStopped = next === 'retry' || next === 'check_wallet'
  // A payment that came to nothing on the chain is told of by the record, after a reload too.
  const failure = !isStopped
    ? undefined
    : paying?.failure && paying.failure.reason !== 'payment_failed'
      ? paying.failure
      : isLost
        ? ({ reason: 'payment_failed', detail: '', lost: record.failedBy } as const)
        : undefined
  const wasAsked = paying?.failure ? !isNothingSent(paying, record) : isLost
  const payment = asset && { account, orderId, vault: config.vault, token: asset.address, units }
  const pay = () => {
    if (payment) payTransfer(payment, { asset: assetId, amount })
  }

  // Sent before this page was loaded: its block is waited for again. Nothing is asked of the wallet.
  const isSentBefore = record?.hash !== undefined && paying === undefined && !onServer
  useEffect(() => {
    if (isSentBefore) pay()
  })
  const isApprovedBefore = next === 'pay' && record?.approvalHash !== undefined && record.approved !== true
  useEffect(() => {
    if (isApprovedBefore && payment) void resumeApproval(payment)
  })

  const shown = `${formatAmount(amount)} ${assetId}`
  const credited = `${formatAmount(order?.credited ?? amount)} ${assetId}`
  const hash = order?.tx_hash ?? record?.hash ?? record?.failedHash
  const byPermit = paying?.stage === 'signing' || record?.permitted || (way === 'permit' && !record?.permitFailed)
  return (
    <Screen
      title={m.title_wallet_send_transaction()}
      aside={stale && <span className="text-label text-warn">{m.ui_stale()}</span>}
      action={<Action next={next} onPay={pay} />}
    >
      <BigAmount way="in" amount={next === 'done' ? (order?.credited ?? amount) : amount} asset={assetId} />
      {failure && (
        <Alert text={failureText(failure, { way: 'in', wasAsked, config })}>
          {!wasAsked && failure.lost === undefined && <p>{m.wallet_nothing_sent()}</p>}
          {!wasAsked && record?.approved && asset?.kind === 'token' && (
            <p className="text-muted">{m.wallet_approval_stands({ amount: shown })}</p>
          )}
          <WalletSaid failure={failure} />
        </Alert>
      )}
      <Card>
        <ProgressSteps
          label={m.wallet_progress()}
          steps={stages.map((stage) => stepOf(stage, { amount: shown, credited, order, record, step, byPermit, way }))}
        />
      </Card>
      {!failure && (
        <p role="status" className={next === 'check_wallet' ? 'text-warn' : next === 'done' ? '' : 'text-muted'}>
          {sayNext(next, { step, credited, isApproved: record?.approved === true })}
        </p>
      )}
      <TransferHashes config={config} orderId={orderId} hash={hash} approveHash={record?.approvalHash} />
      {(next === 'restart' || next === 'check_wallet' || isLost) && (
        <Button look="quiet" icon="search" onClick={() => setRetrieving(true)}>
          {m.wallet_retrieve()}
        </Button>
      )}
      {retrieving && <RetrieveSheet onClose={() => setRetrieving(false)} />}
    </Screen>
  )
}

function Action({ next, onPay }: { next: NextStep; onPay: () => void }) {
  const navigate = useNavigate()
  switch (next) {
    case 'pay':
      return (
        <GatedButton needs="session" icon="wallet" onClick={onPay}>
          {m.wallet_pay_now()}
        </GatedButton>
      )
    case 'retry':
      return (
        <GatedButton needs="session" icon="refresh-cw" onClick={onPay}>
          {m.app_retry()}
        </GatedButton>
      )
    case 'check_wallet':
      return (
        <GatedButton needs="session" look="quiet" icon="refresh-cw" onClick={onPay}>
          {m.wallet_send_again()}
        </GatedButton>
      )
    case 'restart':
      return (
        <Button onClick={() => navigate({ to: '/{-$locale}/wallet/buy', replace: true })}>
          {m.wallet_start_again()}
        </Button>
      )
    case 'answer_wallet':
    case 'wait':
      return (
        <Link to="/{-$locale}/wallet" className={buttonClass('quiet')}>
          {m.wallet_to_wallet()}
        </Link>
      )
    case 'done':
      return (
        <div className="grid grid-cols-2 gap-3">
          <Link to="/{-$locale}/wallet/buy" replace className={buttonClass('quiet')}>
            {m.wallet_another()}
          </Link>
          <Link to="/{-$locale}/wallet" className={buttonClass()}>
            {m.wallet_to_wallet()}
          </Link>
        </div>
      )
  }
}

function stepOf(
  { key, state }: Stage,
  known: {
    amount: string
    credited: string
    order: BuyOrder | undefined
    record: PaymentRecord | undefined
    step: PayStage | undefined
    byPermit: boolean | undefined
    way: PayWay | undefined
  },
): Step {
  const { amount, credited, order, record, step, byPermit, way } = known
  const detailed = (label: string, detail: string | undefined | false): Step =>
    detail ? { label, state, detail } : { label, state }
  switch (key) {
    case 'approve': {
      const isAllowed = way === 'allowed' && state === 'todo'
      const skipped = isAllowed || (state === 'done' && record?.approved === true && record.approvalHash === undefined)
      const waiting = state === 'now' && (step === undefined ? m.wallet_stage_in_block() : stageText(step))
      const label = byPermit && !skipped ? m.payment_stage_permit({ amount }) : m.wallet_stage_approve({ amount })
      return detailed(label, skipped ? m.wallet_stage_approve_skip() : waiting)
    }
    case 'send':
      return detailed(m.wallet_stage_send({ amount }), step === 'paying' && stageText(step))
    case 'seen':
      return detailed(m.wallet_stage_seen(), state === 'now' && m.wallet_stage_in_block())
    case 'confirm':
      return detailed(
        m.wallet_stage_confirm(),
        order && state !== 'todo' && m.wallet_stage_confirm_count({ n: order.confirmations, m: order.required }),
      )
    case 'credit':
      return detailed(m.wallet_stage_credit(), state === 'done' && credited)
  }
}

function stageText(stage: PayStage): string {
  switch (stage) {
    case 'checking':
      return m.wallet_stage_checking()
    case 'signing':
    case 'approving':
    case 'paying':
      return m.wallet_stage_in_wallet()
    case 'approval_sent':
    case 'sent':
    case 'mined':
      return m.wallet_stage_in_block()
  }
}

function sayNext(
  next: NextStep,
  { step, credited, isApproved }: { step: PayStage | undefined; credited: string; isApproved: boolean },
): string {
  switch (next) {
    case 'answer_wallet':
      return m.wallet_say_answer()
    case 'wait':
      if (step === 'approval_sent') return m.wallet_say_approving()
      return step === 'checking' ? m.wallet_say_checking() : m.wallet_say_wait()
    case 'pay':
      return isApproved ? m.wallet_say_pay_approved() : m.wallet_say_pay()
    case 'check_wallet':
      return m.wallet_say_check_wallet()
    case 'restart':
      return m.wallet_say_restart()
    case 'done':
      return m.wallet_say_done({ amount: credited })
    case 'retry':
      return m.wallet_nothing_sent()
  }
}
