import { cx } from '@clearwell/ui/browser/cx.ts'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { useAccount } from '../../account/use-account.ts'
import { useConfig } from '../../api/config.ts'
import { useCall } from '../../api/use-call.ts'
import { type ActiveStatus, useActiveStatus } from '../../features/activation/activation.queries.ts'
import { useFaucet } from '../../features/wallet/faucet-button.tsx'
import { m } from '../../generated/messages.ts'
import { useChainBalance } from '../../vault-payment/payment-assets.ts'
import { useHomeShape, useKeptShape } from './home-shape.ts'

interface Step {
  readonly isDone: boolean
  readonly title: string
  readonly text?: string | undefined
  readonly to?: '/{-$locale}/wallet/buy' | '/{-$locale}/swap/activate' | '/{-$locale}/swap/exchange'
  readonly search?: object
  /** In place of a link. */
  readonly onPress?: () => void
}

/** The steps from a new account to the first swap, as the ledger knows them. Nothing once all are done. */
export function Checklist() {
  const { steps, sample, isFailed } = useSteps()
  const shape = useHomeShape()
  const isLeft = steps?.some(({ isDone }) => !isDone)
  useKeptShape('steps', steps && (isLeft ? steps.length : 0))
  if (!steps)
    return shape.steps > 0 && !isFailed ? (
      <Pending>
        <Steps steps={sample} />
      </Pending>
    ) : null
  return isLeft && <Steps steps={steps} />
}

/** As long as the text that names the price. */
const PRICE: ActiveStatus = { status: 0, price: '20', asset: 'USDT' }

function Steps({ steps }: { steps: readonly Step[] }) {
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.findIndex(({ isDone }) => !isDone)
  return (
    <section aria-label={m.home_steps()} className="rounded-card bg-surface p-4">
      <header className="mb-2 flex items-center justify-between gap-3">
        <h2 className="text-section">{m.home_steps()}</h2>
        <span className="figures text-label text-muted">
          {m.home_steps_count({ done: String(done), all: String(steps.length) })}
        </span>
      </header>
      <ol className="flex flex-col">
        {steps.map((step, index) => (
          <li key={step.title}>
            <StepRow step={step} isNext={index === next} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function StepRow({ step, isNext }: { step: Step; isNext: boolean }) {
  const { isDone, title, text, to, search, onPress } = step
  const row = (
    <>
      <span
        className={cx(
          'flex size-6 shrink-0 items-center justify-center rounded-full',
          isDone ? 'bg-input text-muted' : isNext ? 'border-2 border-accent' : 'border-2 border-line',
        )}
      >
        {isDone && <Icon name="check" className="size-4" />}
      </span>
      {/* The price of activation comes later than its step. */}
      <span className={cx('flex min-w-0 flex-1 flex-col', !isDone && 'min-h-10')}>
        <span className={isDone ? 'text-muted' : 'font-semibold'}>
          {isDone && <span className="sr-only">{m.home_step_done()} </span>}
          {title}
        </span>
        {!isDone && text && <span className="text-secondary text-muted">{text}</span>}
      </span>
    </>
  )
  // As high when it is done, so that its sample is as high as the step.
  const look = 'flex min-h-14 items-center gap-3 py-2'
  if (!isDone && onPress)
    return (
      <button type="button" onClick={onPress} className={`${look} w-full rounded-control text-start hover:bg-input`}>
        {row}
        <Icon name="coins" className={isNext ? 'text-accent' : 'text-muted'} />
      </button>
    )
  if (isDone || !to) return <div className={look}>{row}</div>
  return (
    <Link to={to} search={search ?? {}} className={`${look} rounded-control hover:bg-input`}>
      {row}
      <Icon name="chevron-right" className={isNext ? 'text-accent' : 'text-muted'} />
    </Link>
  )
}

/** `steps` are `undefined` until the server has said which are done: then a sample has as many. */
function useSteps(): { readonly steps: Step[] | undefined; readonly sample: Step[]; readonly isFailed: boolean } {
  const { user } = useAccount()
  const isActivated = user?.activated === true
  const deposits = useCall('logs', { kind: 'deposit', limit: 1 })
  const swaps = useCall('orders', { limit: 1 })
  const activation = useActiveStatus({ enabled: user?.activated === false })
  const hasSwapped = swaps.data && swaps.data.items.length > 0
  const hasDeposited = deposits.data && deposits.data.items.length > 0
  const isFailed = deposits.isError || swaps.isError
  const faucet = useFaucetStep(hasDeposited === true || hasSwapped === true)
  const sample = stepsOf({ hasDeposited: false, isActivated, hasSwapped: false, activation: PRICE, faucet })
  if (user === undefined || hasSwapped === undefined || hasDeposited === undefined)
    return { steps: undefined, sample, isFailed }
  return {
    steps: stepsOf({
      ...{ hasDeposited: hasDeposited || hasSwapped, isActivated, hasSwapped, activation: activation.data },
      faucet,
    }),
    ...{ sample, isFailed },
  }
}

/**
 * The step of the local profile alone, whose tokens are worth nothing: `undefined` elsewhere. It keeps its place until the
 * configuration and the wallet are there, if home had it last.
 */
function useFaucetStep(isPast: boolean): Step | undefined {
  const config = useConfig()
  const { give } = useFaucet()
  const { steps } = useHomeShape()
  const token = config?.assets.find(({ asset }) => asset === EXAMPLE.sell)
  const held = useChainBalance(isPast || !give ? undefined : token).data
  if (config ? config.profile !== 'local' : steps < LOCAL_STEPS) return undefined
  return {
    isDone: isPast || (held !== undefined && held > 0n),
    title: m.home_step_faucet(),
    text: m.home_step_faucet_text(),
    ...(give && { onPress: () => void give() }),
  }
}

const LOCAL_STEPS = 5

/** The swap that the local profile suggests to a new account. */
const EXAMPLE = { sell: 'USDT', amount: '100' } as const

interface Progress {
  readonly hasDeposited: boolean
  readonly isActivated: boolean
  readonly hasSwapped: boolean
  readonly activation: ActiveStatus | undefined
  readonly faucet?: Step | undefined
}

function stepsOf({ hasDeposited, isActivated, hasSwapped, activation, faucet }: Progress): Step[] {
  return [
    { isDone: true, title: m.home_step_connect() },
    ...(faucet ? [faucet] : []),
    {
      isDone: hasDeposited,
      title: m.home_step_transfer_in(),
      text: m.home_step_transfer_in_text(),
      to: '/{-$locale}/wallet/buy',
    },
    {
      isDone: isActivated,
      title: m.home_step_activate(),
      text: activationText(activation),
      to: '/{-$locale}/swap/activate',
    },
    {
      isDone: hasSwapped,
      title: m.home_step_swap(),
      text: m.home_step_swap_text(),
      to: '/{-$locale}/swap/exchange',
      ...(faucet && { search: EXAMPLE }),
    },
  ]
}

/** The price of activation, or what it waits for. */
function activationText(status: ActiveStatus | undefined): string | undefined {
  if (!status) return undefined
  if (status.status === 1) return m.home_step_activate_pending()
  if (status.opens_at) return m.activation_opens_at({ time: formatDateTime(status.opens_at) })
  return m.home_step_activate_text({ amount: formatAmount(status.price), asset: status.asset })
}
