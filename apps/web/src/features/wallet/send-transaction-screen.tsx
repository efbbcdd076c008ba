import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useAccountAddress } from '../../account/use-account-address.ts'
import { type Config, useConfig } from '../../api/config.ts'
import { m } from '../../generated/paraglide/messages.js'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { formatAmount } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { ProgressSteps, type Step } from '../../ui/progress-steps.tsx'
import { Screen } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { chainUnits } from '../../wallet/deposit-call.ts'
import { type Paying, type PayStage, usePaying } from '../../wallet/pay-vault.ts'
import type { PaymentRecord } from '../../wallet/payment-record.ts'
import { BigAmount } from './big-amount.tsx'
import { HashText } from './hash-text.tsx'
import { payTransfer } from './pay-transfer.ts'
import { useTransferRecords } from './transfer-record.ts'
import { type BuyOrder, isNothingSent, type NextStep, type Stage, transferStages } from './transfer-stages.ts'
import { chainAssets, useBuyOrders } from './wallet.queries.ts'

const RetrieveSheet = lazy(() => import('./retrieve-sheet.tsx'))

const POLL_MS = 1_000
const POLL_DONE_MS = 15_000

/** Transfer in, third step: how it goes, from the wallet to the balance. Without an order it shows the newest one. */
export function SendTransactionScreen({ orderId }: { orderId: string | undefined }) {
  const { signedIn } = useAccount()
  const config = useConfig()
  const records = useTransferRecords()
  const [done, setDone] = useState(false)
  const orders = useBuyOrders({ pollMs: done ? POLL_DONE_MS : POLL_MS })
  const id = orderId ?? records[0]?.orderId ?? orders.data?.items[0]?.order_id
  const record = records.find((each) => each.orderId === id)
  const order = orders.data?.items.find((each) => each.order_id === id)
  if (done !== (order?.status === 'credited')) setDone(order?.status === 'credited')

  if (!signedIn)
    return (
      <Screen title={m.title_wallet_send_transaction()}>
        <Card className="flex flex-col gap-4">
          <p>{m.wallet_signed_out()}</p>
          <GatedButton needs="session">{m.nav_connect()}</GatedButton>
        </Card>
      </Screen>
    )
  if (config && id !== undefined && (order || record))
    return <Progress key={id} config={config} order={order} record={record} orderId={id} stale={orders.isError} />
  return (
    <Screen title={m.title_wallet_send_transaction()}>
      {orders.isPending ? (
        <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-4">
          <Skeleton className="h-24" />
          <Skeleton className="h-70" />
        </div>
      ) : orders.isError ? (
        <ErrorState error={orders.error} onRetry={orders.refetch} />
      ) : (
        <EmptyState
          icon="arrow-down-to-line"
          title={m.wallet_no_transfer()}
          text={m.wallet_no_transfer_text()}
          action={
            <Link to="/{-$locale}/wallet/buy" className={buttonClass()}>
              {m.wallet_transfer_in()}
            </Link>
          }
        />
      )}
    </Screen>
  )
}

interface ProgressProps {
  readonly config: Config
  readonly order: BuyOrder | undefined
  readonly record: PaymentRecord | undefined
  readonly orderId: string
  readonly stale: boolean
}

function Progress({ config, order, record, orderId, stale }: ProgressProps) {
  const account = useAccountAddress()
  const paying = usePaying(orderId)
  const [retrieving, setRetrieving] = useState(false)
  const onServer = order?.status === 'seen' || order?.status === 'credited'
  const assetId = order?.asset ?? record?.transfer?.asset ?? ''
  const amount = order?.amount ?? record?.transfer?.amount ?? '0'
  const { assets, native } = chainAssets(config)
  const asset = assets.find((each) => each.asset === assetId)
  const { stages, next } = transferStages({
    native: asset?.kind === 'native',
    order,
    record,
    paying,
  })
  const isLost = !onServer && record?.failedHash !== undefined
  const step = paying?.isRunning ? paying.stage : undefined
  // The payment that failed in its block is told of by the record, after a reload too.
  const failure = paying?.failure?.reason === 'payment_failed' ? undefined : paying?.failure
  const lost = !failure && isLost && next === 'retry'
  const failed = lost || (failure !== undefined && (next === 'retry' || next === 'check_wallet'))
  const pay = () => {
    if (!asset) return
    const units = chainUnits(amount, asset.decimals)
    const payment = { account, orderId, vault: config.vault, token: asset.address, units }
    payTransfer(payment, { asset: assetId, amount })
  }

  // Sent before this page was loaded: its block is waited for again. Nothing is asked of the wallet.
  const isSentBefore = record?.hash !== undefined && paying === undefined && !onServer
  useEffect(() => {
    if (isSentBefore) pay()
  })

  const shown = `${formatAmount(amount)} ${assetId}`
  const credited = `${formatAmount(order?.credited ?? amount)} ${assetId}`
  const hash = order?.tx_hash ?? record?.hash ?? record?.failedHash
  return (
    <Screen
      title={m.title_wallet_send_transaction()}
      aside={stale && <span className="text-label text-warn">{m.ui_stale()}</span>}
      action={<Action next={next} onPay={pay} />}
    >
      <BigAmount amount={next === 'done' ? (order?.credited ?? amount) : amount} asset={assetId} />
      {failed && paying && failure && (
        <FailureNote paying={paying} record={record} failure={failure} config={config} coin={native?.asset ?? ''}>
          {isNothingSent(paying, record) && record?.approved && asset?.kind === 'token' && (
            <p className="text-muted">{m.wallet_approval_stands({ amount: shown })}</p>
          )}
        </FailureNote>
      )}
      {lost && <Alert text={m.wallet_fail_chain()} />}
      <Card>
        <ProgressSteps
          label={m.wallet_progress()}
          steps={stages.map((stage) => stepOf(stage, { amount: shown, credited, order, record, step }))}
        />
      </Card>
      {!failed && (
        <p role="status" className={next === 'check_wallet' ? 'text-warn' : 'text-muted'}>
          {sayNext(next, step, credited)}
        </p>
      )}
      <Hashes config={config} orderId={orderId} hash={hash} approveHash={record?.approvalHash} />
      {(next === 'restart' || next === 'check_wallet' || isLost) && (
        <Button look="quiet" icon="search" onClick={() => setRetrieving(true)}>
          {m.wallet_retrieve()}
        </Button>
      )}
      <Suspense>{retrieving && <RetrieveSheet onClose={() => setRetrieving(false)} />}</Suspense>
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
  },
): Step {
  const { amount, credited, order, record, step } = known
  const detailed = (label: string, detail: string | undefined | false): Step =>
    detail ? { label, state, detail } : { label, state }
  switch (key) {
    case 'approve': {
      const skipped = state === 'done' && record?.approved === true && record.approvalHash === undefined
      const waiting = state === 'now' && (step === undefined ? m.wallet_stage_in_block() : stageText(step))
      return detailed(m.wallet_stage_approve({ amount }), skipped ? m.wallet_stage_approve_skip() : waiting)
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
    case 'approving':
    case 'paying':
      return m.wallet_stage_in_wallet()
    case 'approval_sent':
    case 'sent':
    case 'mined':
      return m.wallet_stage_in_block()
  }
}

function sayNext(next: NextStep, step: PayStage | undefined, credited: string): string {
  switch (next) {
    case 'answer_wallet':
      return m.wallet_say_answer()
    case 'wait':
      if (step === 'approval_sent') return m.wallet_say_approving()
      return step === 'checking' ? m.wallet_say_checking() : m.wallet_say_wait()
    case 'pay':
      return m.wallet_say_pay()
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

function FailureNote({
  paying,
  record,
  failure,
  config,
  coin,
  children,
}: {
  paying: Paying
  record: PaymentRecord | undefined
  failure: NonNullable<Paying['failure']>
  config: Config
  coin: string
  children: ReactNode
}) {
  const { reason, detail } = failure
  const wasAsked = !isNothingSent(paying, record)
  const text = failureText(failure, wasAsked, { coin, network: config.chain.name })
  return (
    <Alert text={text}>
      {!wasAsked && <p>{m.wallet_nothing_sent()}</p>}
      {children}
      {(reason === 'reverted' || (reason === 'other' && wasAsked)) && (
        <p className="text-label text-muted [overflow-wrap:anywhere]">{m.wallet_fail_detail({ detail })}</p>
      )}
    </Alert>
  )
}

/** The vault's `EnforcedPause()`, by its name or by its first four bytes. */
const PAUSED = /EnforcedPause|0xd93c0665/i

function failureText(
  { reason, detail }: NonNullable<Paying['failure']>,
  wasAsked: boolean,
  where: { coin: string; network: string },
): string {
  switch (reason) {
    case 'refused':
      return m.wallet_fail_refused()
    case 'gas':
      return m.wallet_fail_gas({ coin: where.coin })
    case 'network':
      return m.wallet_fail_network({ name: where.network })
    // Seen before the network was asked, which would refuse it.
    case 'token_not_enough':
      return m.wallet_fail_reverted()
    case 'reverted':
      return PAUSED.test(detail) ? m.wallet_fail_paused() : m.wallet_fail_reverted()
    case 'approval_failed':
      return m.wallet_fail_approve_chain()
    case 'payment_failed':
      return m.wallet_fail_chain()
    case 'call_differs':
      return m.wallet_call_differs()
    case 'other':
      return wasAsked ? m.wallet_fail_other() : m.wallet_fail_detail({ detail })
  }
}

function Alert({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div role="alert" className="flex gap-3 rounded-card border border-warn/50 p-4">
      <Icon name="triangle-alert" className="text-warn" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="text-warn">{text}</p>
        {children}
      </div>
    </div>
  )
}

function Hashes({
  config,
  orderId,
  hash,
  approveHash,
}: {
  config: Config
  orderId: string
  hash: string | null | undefined
  approveHash: string | undefined
}) {
  const explorer = config.chain.explorer_url
  return (
    <Card className="py-1.5">
      <FactList
        facts={[
          ...(hash
            ? [
                {
                  label: m.wallet_deposit_hash(),
                  value: <HashText hash={hash} explorer={explorer} copyLabel={m.wallet_copy_hash()} />,
                },
              ]
            : []),
          ...(approveHash
            ? [
                {
                  label: m.wallet_approve_hash(),
                  value: <HashText hash={approveHash} explorer={explorer} copyLabel={m.wallet_copy_approve_hash()} />,
                },
              ]
            : []),
          {
            label: m.wallet_order_id(),
            value: <HashText hash={orderId} explorer={null} copyLabel={m.wallet_copy_order()} />,
          },
        ]}
      />
    </Card>
  )
}
