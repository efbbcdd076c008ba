import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccountAddress } from '../../account/use-account.ts'
import type { Config } from '../../api/config.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ProgressSteps, type Step } from '../../components/progress-steps.tsx'
import { Screen } from '../../components/screen.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatAmount, formatDateTime } from '../../i18n/format.ts'
import { type PayStage, usePaying } from '../../wallet/paying.ts'
import type { PaymentRecord } from '../../wallet/payment-record.ts'
import type { SellOrder } from '../../wallet/withdraw-call.ts'
import { BigAmount } from './big-amount.tsx'
import { Alert, failureText, WalletSaid } from './failure-note.tsx'
import { submitTransfer } from './submit-transfer.ts'
import { timeLeftText, useTimeLeft } from './time-left.ts'
import { TransferHashes } from './transfer-hashes.tsx'
import { isNothingSent } from './transfer-stages.ts'
import { type WithdrawNext, type WithdrawStage, withdrawFailure, withdrawStages } from './withdraw-stages.ts'

interface SendOutProps {
  readonly config: Config
  readonly order: SellOrder | undefined
  readonly record: PaymentRecord | undefined
  readonly orderId: string
  readonly stale: boolean
}

/** A transfer out, from the locked amount to the wallet. It goes on from any device, as the server keeps the voucher. */
export function SendOut({ config, order, record, orderId, stale }: SendOutProps) {
  const account = useAccountAddress()
  const paying = usePaying(orderId)
  const isOpen = order?.status === 'locked' || order?.status === 'signed'
  const left = useTimeLeft(order?.expires_at, isOpen)
  const { stages, next } = withdrawStages({ order, record, paying, isOverdue: isOpen && left?.isOver === true })
  const step = paying?.isRunning ? paying.stage : undefined
  const asset = order?.asset ?? record?.transfer?.asset ?? ''
  const amount = order?.amount ?? record?.transfer?.amount ?? '0'
  const shown = `${formatAmount(amount)} ${asset}`
  const deadline = order ? formatDateTime(order.expires_at) : ''
  const submit = () => {
    if (order) submitTransfer(config, account, order, record?.transfer)
  }

  // Sent before this page was loaded: its block is waited for again. Nothing is asked of the wallet.
  const isSentBefore = record?.hash !== undefined && paying === undefined && isOpen
  useEffect(() => {
    if (isSentBefore) submit()
  })

  const failure = withdrawFailure(next, paying?.failure, record)
  const wasAsked = paying?.failure ? !isNothingSent(paying, record) : record?.failedHash !== undefined
  const timeLeft = left && isOpen && next !== 'overdue' ? timeLeftText(left.seconds) : undefined
  return (
    <Screen
      title={m.title_wallet_send_transaction()}
      aside={stale && <span className="text-label text-warn">{m.ui_stale()}</span>}
      action={<Action next={next} onSubmit={submit} />}
    >
      <BigAmount way="out" amount={amount} asset={asset} />
      {failure && (
        <Alert text={failureText(failure, { way: 'out', wasAsked, config })}>
          {next === 'overdue' ? (
            <p>{m.wallet_out_say_overdue()}</p>
          ) : (
            (!wasAsked || (failure.lost && failure.lost !== 'dropped')) && (
              <p>{m.wallet_out_stays_locked({ time: deadline })}</p>
            )
          )}
          <WalletSaid failure={failure} />
        </Alert>
      )}
      <Card>
        <ProgressSteps
          label={m.wallet_out_progress()}
          steps={stages.map((stage) => stepOf(stage, { order, step, timeLeft }))}
        />
      </Card>
      {!failure && (
        <p
          role="status"
          className={next === 'check_wallet' || next === 'overdue' ? 'text-warn' : next === 'done' ? '' : 'text-muted'}
        >
          {sayNext(next, { step, shown, deadline, order })}
        </p>
      )}
      <TransferHashes
        config={config}
        orderId={orderId}
        hash={order?.tx_hash ?? record?.hash ?? record?.failedHash}
        more={order ? [{ label: m.wallet_out_deadline(), value: deadline }] : []}
      />
    </Screen>
  )
}

function Action({ next, onSubmit }: { next: WithdrawNext; onSubmit: () => void }) {
  const navigate = useNavigate()
  switch (next) {
    case 'submit':
      return (
        <GatedButton needs="session" icon="wallet" onClick={onSubmit}>
          {m.wallet_out_submit()}
        </GatedButton>
      )
    case 'retry':
      return (
        <GatedButton needs="session" icon="refresh-cw" onClick={onSubmit}>
          {m.app_retry()}
        </GatedButton>
      )
    case 'check_wallet':
      return (
        <GatedButton needs="session" look="quiet" icon="refresh-cw" onClick={onSubmit}>
          {m.wallet_send_again()}
        </GatedButton>
      )
    case 'expired':
      return (
        <Button onClick={() => navigate({ to: '/{-$locale}/wallet/sell', replace: true })}>
          {m.wallet_out_again()}
        </Button>
      )
    case 'done':
      return (
        <div className="grid grid-cols-2 gap-3">
          <Link to="/{-$locale}/wallet/sell" replace className={buttonClass('quiet')}>
            {m.wallet_out_again()}
          </Link>
          <Link to="/{-$locale}/wallet" className={buttonClass()}>
            {m.wallet_to_wallet()}
          </Link>
        </div>
      )
    case 'wait':
    case 'wait_signature':
    case 'answer_wallet':
    case 'differs':
    case 'overdue':
      return (
        <Link to="/{-$locale}/wallet" className={buttonClass('quiet')}>
          {m.wallet_to_wallet()}
        </Link>
      )
  }
}

function stepOf(
  { key, state }: WithdrawStage,
  known: { order: SellOrder | undefined; step: PayStage | undefined; timeLeft: string | undefined },
): Step {
  const { order, step, timeLeft } = known
  const detailed = (label: string, detail: string | undefined | false): Step =>
    detail ? { label, state, detail } : { label, state }
  switch (key) {
    case 'lock':
      return { label: state === 'done' ? m.wallet_out_stage_lock() : m.wallet_out_stage_lock_now(), state }
    case 'submit': {
      const doing =
        step === 'checking' ? m.wallet_out_stage_checking() : step === 'paying' && m.wallet_stage_in_wallet()
      const stage = detailed(m.wallet_out_stage_submit(), doing)
      if (state === 'done' || timeLeft === undefined) return stage
      return { ...stage, timeLeft: m.wallet_out_stage_submit_left({ time: timeLeft }) }
    }
    case 'block':
      return detailed(m.wallet_out_stage_block(), state === 'now' && m.wallet_stage_in_block())
    case 'confirm':
      return detailed(
        m.wallet_stage_confirm(),
        order && state !== 'todo' && m.wallet_stage_confirm_count({ n: order.confirmations, m: order.required }),
      )
    case 'complete':
      return { label: m.wallet_out_stage_complete(), state }
  }
}

function sayNext(
  next: WithdrawNext,
  known: { step: PayStage | undefined; shown: string; deadline: string; order: SellOrder | undefined },
): string {
  const { step, shown, deadline, order } = known
  switch (next) {
    case 'wait':
      if (step === 'checking') return m.wallet_out_say_checking()
      return order === undefined ? m.wallet_out_say_list() : m.wallet_out_say_wait()
    case 'wait_signature':
      return m.wallet_out_say_signature()
    case 'answer_wallet':
      return m.wallet_say_answer()
    case 'submit':
      return m.wallet_out_say_submit({ time: deadline })
    case 'retry':
    case 'differs':
      return m.wallet_out_stays_locked({ time: deadline })
    case 'check_wallet':
      return m.wallet_out_say_check_wallet()
    case 'overdue':
      return m.wallet_out_say_overdue()
    case 'expired':
      return m.wallet_out_say_expired({ amount: shown })
    case 'done':
      return m.wallet_out_say_done({ amount: shown })
  }
}
