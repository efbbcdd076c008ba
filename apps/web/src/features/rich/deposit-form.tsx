import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import { AmountField } from '@clearwell/ui/components/amount-field.tsx'
import { type AmountProblem, amountProblem } from '@clearwell/ui/components/amount-input.ts'
import { Button } from '@clearwell/ui/components/button.tsx'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useKeptForm } from '../../account/use-kept-form.ts'
import { m } from '../../generated/messages.ts'
import { type RichOverview, useRichProgram } from './rich.queries.ts'
import { rtWords } from './rich-words.ts'
import { depositRoom, isSome, smaller } from './star-terms.ts'

const DECIMALS = ASSET_DECIMALS.RT

/** The kept form of a deposit. */
export const DEPOSIT_FORM = 'rich-deposit'

export type DepositForm = ReturnType<typeof useDepositForm>

/** The amount of a deposit, what is wrong with it, and the amount that is being confirmed. */
export function useDepositForm({ deposit, wallet_balance: balance }: RichOverview) {
  const { fields, change, clear } = useKeptForm(DEPOSIT_FORM, { amount: '' })
  const { amount } = fields
  const [isChecked, setChecked] = useState(false)
  const [confirmed, setConfirmed] = useState<string>()
  const room = depositRoom(deposit, useRichProgram().data?.stars ?? [])
  const problem = depositProblem(amount, balance, room)
  return {
    amount,
    setAmount: (next: string) => change({ amount: next }),
    confirmed,
    /** The amount that Max fills in. */
    most: room === undefined ? balance : smaller(balance, room),
    isShort: confirmed === undefined && problem === 'over_balance',
    /** Until the first press an amount is still being typed. A confirmed amount is no longer in the balance once it is deposited. */
    error:
      confirmed === undefined && (isChecked || problem?.startsWith('over')) ? problemText(problem, room) : undefined,
    isReady: problem === undefined,
    goOn() {
      setChecked(true)
      if (problem === undefined) setConfirmed(amount)
    },
    back: () => setConfirmed(undefined),
    clear() {
      clear()
      setChecked(false)
      setConfirmed(undefined)
    },
  }
}

/** The amount field, with a button that fills in the rest for the next star, and a link to the swap for more RT. */
export function DepositField({ overview, form }: { overview: RichOverview; form: DepositForm }) {
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
        spendable={form.most}
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

/** A short balance is named before the room: the user can do something about it. */
function depositProblem(amount: string, balance: string, room: string | undefined): AmountProblem {
  const units = (text: string) => parseUnits(text, DECIMALS) ?? 0n
  return (
    amountProblem(amount, { decimals: DECIMALS, balance: units(balance) }) ??
    (room === undefined
      ? undefined
      : amountProblem(amount, { decimals: DECIMALS, balance: undefined, max: units(room) }))
  )
}

function problemText(problem: AmountProblem, room = '0'): string | undefined {
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
      return m.rich_over_room({ max: rtWords(room) })
  }
}
