import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { InactiveNote } from '../../account/inactive-note.tsx'
import { useAccount } from '../../account/use-account.ts'
import { AmountField } from '../../components/amount-field.tsx'
import { amountProblem } from '../../components/amount-input.ts'
import { AmountText } from '../../components/amount-text.tsx'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { lazySheet } from '../../components/lazy-part.tsx'
import { Screen } from '../../components/screen.tsx'
import { AmountFieldSkeleton, FactsSkeleton, Loading } from '../../components/skeleton-shapes.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { Requirements } from './requirements.tsx'
import { type RichOverview, useRichOverview, useRichProgram } from './rich.queries.ts'
import { rtWords, starWords } from './rich-parts.tsx'
import { InProgress } from './star-progress.tsx'
import { depositRoom, isSome } from './star-terms.ts'
import { StepDown } from './step-down.tsx'

const DepositSheet = lazySheet(() => import('./deposit-sheet.tsx'))
const LinkSheet = lazySheet(() => import('./link-sheet.tsx'))

const DECIMALS = ASSET_DECIMALS.RT
const NO_BALANCE = { decimals: DECIMALS, balance: undefined }

/** Depositing RT for a star, stepping down, and what each star needs and gives. */
export function DepositScreen() {
  const { signedIn } = useAccount()
  const overview = useRichOverview()
  const { data } = overview
  if (signedIn && data) return <DepositForm overview={data} isStale={overview.isError} />
  return (
    <Screen
      title={m.title_rich_pledge()}
      action={!signedIn && <GatedButton needs="session">{m.nav_connect()}</GatedButton>}
    >
      {!signedIn ? (
        <p className="text-muted">{m.rich_deposit_words()}</p>
      ) : overview.isError ? (
        <ErrorState error={overview.error} onRetry={overview.refetch} />
      ) : (
        <Loading className="gap-4">
          <AmountFieldSkeleton />
          <FactsSkeleton count={3} />
        </Loading>
      )}
      <Requirements star={0} />
    </Screen>
  )
}

function DepositForm({ overview, isStale }: { overview: RichOverview; isStale: boolean }) {
  const form = useDepositForm(overview)
  const [isLinking, setLinking] = useState(false)
  const { uid, star, deposit, step_down: stepDown } = overview
  return (
    <Screen
      title={m.title_rich_pledge()}
      aside={isStale && <Badge tone="warning">{m.ui_stale()}</Badge>}
      action={
        uid === null ? (
          <GatedButton needs="activation" onClick={() => setLinking(true)}>
            {m.rich_link()}
          </GatedButton>
        ) : (
          !stepDown && (
            <GatedButton needs="activation" onClick={form.goOn}>
              {m.rich_continue()}
            </GatedButton>
          )
        )
      }
    >
      <InactiveNote />
      <InProgress request={null} step_down={stepDown} />
      {uid === null ? (
        <p className="text-muted">{m.rich_link_first()}</p>
      ) : (
        !stepDown && <DepositField overview={overview} form={form} />
      )}
      <FactList
        facts={[
          { label: m.rich_star_level(), value: starWords(star) },
          { label: m.rich_deposit_total(), value: <AmountText amount={deposit} asset="RT" /> },
        ]}
      />
      <Requirements star={star} />
      {(isSome(deposit) || star > 0) && !stepDown && <StepDown overview={overview} />}
      {form.confirmed !== undefined && (
        <DepositSheet amount={form.confirmed} overview={overview} onDone={form.clear} onClose={form.back} />
      )}
      {isLinking && <LinkSheet onClose={() => setLinking(false)} />}
    </Screen>
  )
}

type DepositFormState = ReturnType<typeof useDepositForm>

/** The amount, what is wrong with it, and the amount that is being confirmed. */
function useDepositForm({ deposit, wallet_balance: balance }: RichOverview) {
  const [amount, setAmount] = useState('')
  const [isChecked, setChecked] = useState(false)
  const [confirmed, setConfirmed] = useState<string>()
  const stars = useRichProgram().data?.stars ?? []
  const room = depositRoom(deposit, stars)
  const problem =
    amountProblem(amount, { decimals: DECIMALS, balance: parseUnits(balance, DECIMALS) }) ??
    (room === undefined ? undefined : amountProblem(amount, { ...NO_BALANCE, max: parseUnits(room, DECIMALS) ?? 0n }))
  return {
    amount,
    setAmount,
    confirmed,
    isShort: problem === 'over_balance',
    /** Until the first press an amount is still being typed. */
    error: isChecked || problem?.startsWith('over') ? problemText() : undefined,
    goOn() {
      setChecked(true)
      if (problem === undefined) setConfirmed(amount)
    },
    back: () => setConfirmed(undefined),
    clear() {
      setAmount('')
      setChecked(false)
      setConfirmed(undefined)
    },
  }

  function problemText(): string | undefined {
    switch (problem) {
      case undefined:
      case 'under_min':
        return undefined
      case 'missing':
        return m.rich_enter_amount()
      case 'invalid':
        return m.rich_invalid_input()
      case 'over_balance':
        return m.rich_balance_not_enough()
      case 'over_max':
        return m.rich_over_room({ max: rtWords(room ?? '0') })
    }
  }
}

function DepositField({ overview, form }: { overview: RichOverview; form: DepositFormState }) {
  const { next, missing, wallet_balance: balance } = overview
  return (
    <div className="flex flex-col gap-2">
      <AmountField
        label={m.rich_amount()}
        value={form.amount}
        onChange={form.setAmount}
        asset="RT"
        decimals={DECIMALS}
        balance={balance}
        balanceLabel={m.rich_wallet_balance()}
        error={form.error}
      />
      {next !== null && isSome(missing) && (
        <Button look="quiet" size="small" onClick={() => form.setAmount(missing)}>
          {m.rich_fill({ amount: rtWords(missing), n: String(next) })}
        </Button>
      )}
      {(form.isShort || !isSome(balance)) && (
        <Link
          to="/{-$locale}/swap/exchange"
          search={{ pair: 'RTUSDT', sell: 'USDT' }}
          className="inline-flex min-h-11 items-center self-start text-accent"
        >
          {m.rich_get_rt()}
        </Link>
      )}
    </div>
  )
}
