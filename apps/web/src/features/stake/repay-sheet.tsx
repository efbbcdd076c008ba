import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { minUnits } from '@clearwell/money/min-max'
import { checkRest } from '@clearwell/rules/loan-limits'
import { AmountField } from '@clearwell/ui/components/amount-field.tsx'
import { amountProblem } from '@clearwell/ui/components/amount-input.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { FootRow, Sheet, SheetFoot } from '@clearwell/ui/components/sheet.tsx'
import { ConfirmButton, SheetStage } from '@clearwell/ui/components/stage-parts.tsx'
import { Success } from '@clearwell/ui/components/success.tsx'
import { useState } from 'react'
import { useKeptForm } from '../../account/use-kept-form.ts'
import { serverNowMs } from '../../api/server-clock.ts'
import { useCommand } from '../../api/use-command.ts'
import { PartAway } from '../../components/part-away.tsx'
import { m } from '../../generated/messages.ts'
import { InterestText } from './interest-text.tsx'
import { repaidFacts } from './loan-facts.tsx'
import { type Loan, type RepaidLoan, useAvailable } from './stake.queries.ts'
import { OverMost, StakeProblem } from './stake-parts.tsx'
import { repayForm } from './stake-search.ts'
import { amountWords, owedWords } from './stake-words.ts'

/** The repayment: an amount, or `all` that is owed at that second. */
type Taken = string | 'all'

/** Repays a loan in part or in full: the amount, its effect in words, the outcome. */
export default function RepaySheet({
  loan,
  leastLoan,
  onClose,
}: {
  loan: Loan
  /** The least that a part payment leaves; `undefined` until the market is known. */
  leastLoan: string | undefined
  onClose: () => void
}) {
  const [taken, setTaken] = useState<Taken>()
  const { order_id: orderId, borrow_asset: asset } = loan
  const command = useCommand('repay', { silent: true, form: repayForm(orderId) })
  const stage = command.data ? 'done' : taken === undefined ? 'form' : 'confirm'
  return (
    <Sheet title={m.stake_repay()} onClose={onClose} locked={command.isPending}>
      <SheetStage name={stage}>
        {command.data ? (
          <Repaid loan={command.data} taken={taken ?? ''} onClose={onClose} />
        ) : taken === undefined ? (
          <>
            <OverdueNote loan={loan} />
            <PartAway part="headers" text={m.stake_headers_away} />
            <RepayForm loan={loan} leastLoan={leastLoan} onContinue={setTaken} />
          </>
        ) : (
          <>
            <p>{repayWords(loan, taken)}</p>
            {taken !== 'all' && <OverdueNote loan={loan} />}
            <FactList facts={effectFacts(loan, taken)} />
            <StakeProblem error={command.error} asset={asset} />
            <SheetFoot>
              <FootRow>
                <ConfirmButton
                  confirms={taken}
                  label={m.stake_repay()}
                  busy={command.isPending}
                  onPress={() => command.mutate({ order_id: orderId, amount: taken }, { facts: { asset } })}
                />
                {!command.isPending && (
                  <Button
                    look="quiet"
                    onClick={() => {
                      command.reset()
                      setTaken(undefined)
                    }}
                  >
                    {m.nav_back()}
                  </Button>
                )}
              </FootRow>
            </SheetFoot>
          </>
        )}
      </SheetStage>
    </Sheet>
  )
}

/** The amount of a repayment. While none is typed, paying all of it is the main action. */
export function RepayForm({
  loan,
  leastLoan,
  onContinue,
}: {
  loan: Loan
  leastLoan: string | undefined
  onContinue: (taken: Taken) => void
}) {
  const { borrow_asset: asset, total_debt: debt } = loan
  const decimals = ASSET_DECIMALS[asset]
  const available = useAvailable(asset)
  const { fields, change } = useKeptForm(repayForm(loan.order_id), { amount: '' })
  const { amount } = fields
  // A debt grows while one goes on: all of it is repaid by name.
  const [isWhole, setWhole] = useState(false)
  const [tried, setTried] = useState(false)
  const balance = available === undefined ? undefined : (parseUnits(available, decimals) ?? 0n)
  const owed = parseUnits(debt, decimals) ?? 0n
  const problem = amountProblem(amount, { decimals, max: owed, balance })
  const least = parseUnits(leastLoan ?? '', decimals) ?? 0n
  const dust =
    problem === undefined && !isWhole ? checkRest(owed, parseUnits(amount, decimals) ?? 0n, least) : undefined
  const canRepayAll = balance !== undefined && balance >= owed
  const canGoOn = problem === undefined && !dust
  const goOn = () => {
    setTried(true)
    if (canGoOn) onContinue(isWhole ? 'all' : amount)
  }
  // Most pay all of it, and only that ends the danger of a loan that can be liquidated.
  const isWholeFirst = canRepayAll && amount === ''
  const whole = (
    <Button look={isWholeFirst ? 'main' : 'quiet'} disabled={!canRepayAll} onClick={() => onContinue('all')}>
      {m.stake_repay_all()}
    </Button>
  )
  const part = (
    <Button look={isWholeFirst || !canGoOn ? 'idle' : 'main'} onClick={goOn}>
      {m.stake_continue()}
    </Button>
  )
  return (
    <>
      <AmountField
        label={m.stake_amount()}
        value={amount}
        onChange={(next) => {
          change({ amount: next })
          setWhole(parseUnits(next, decimals) === owed)
        }}
        asset={asset}
        decimals={decimals}
        balance={available}
        awaitsBalance={available === undefined}
        spendable={balance === undefined ? undefined : formatUnits(minUnits(balance, owed), decimals)}
        error={
          tried || problem === 'over_balance' || problem === 'over_max'
            ? problemText(problem, amountWords(debt, asset))
            : undefined
        }
      />
      {dust && (
        <OverMost
          text={m.stake_least_rest({ min: amountWords(leastLoan ?? '0', asset) })}
          most={formatUnits(dust.max, decimals)}
          asset={asset}
          onTake={(next) => change({ amount: next })}
        />
      )}
      <FactList
        facts={[
          { label: m.stake_interest_due(), value: <InterestText amount={loan.interest_due} asset={asset} raises /> },
          { label: m.stake_total_debt(), value: <AmountText amount={debt} asset={asset} raises /> },
        ]}
      />
      <SheetFoot>
        {isWholeFirst ? (
          <>
            {whole}
            {part}
          </>
        ) : (
          <>
            {part}
            {whole}
          </>
        )}
      </SheetFoot>
    </>
  )
}

/** A part does not help a loan whose repayment time has passed. */
export function OverdueNote({ loan: { status, repayment_time } }: { loan: Pick<Loan, 'status' | 'repayment_time'> }) {
  const isOverdue = status === 0 && Date.parse(repayment_time) <= (serverNowMs() ?? Date.now())
  return isOverdue ? <p className="text-secondary text-warn">{m.stake_overdue_text()}</p> : null
}

function problemText(problem: ReturnType<typeof amountProblem>, debt: string): string | undefined {
  switch (problem) {
    case undefined:
    case 'under_min':
      return undefined
    case 'missing':
      return m.stake_enter_amount()
    case 'invalid':
      return m.stake_invalid_input()
    case 'over_balance':
      return m.stake_balance_not_enough()
    case 'over_max':
      return m.stake_over_debt({ max: debt })
  }
}

function repayWords({ borrow_asset, collateral_asset, collateral_amount, total_debt }: Loan, taken: Taken): string {
  if (taken !== 'all') return m.stake_repay_words({ amount: amountWords(taken, borrow_asset) })
  return m.stake_repay_all_words({
    amount: owedWords(total_debt, borrow_asset),
    collateral: amountWords(collateral_amount, collateral_asset),
  })
}

/** How a payment is divided, and what is owed after it. Interest grows by the second, so this is as of the last response. */
function effectFacts({ borrow_asset: asset, interest_due, total_debt }: Loan, taken: Taken) {
  const decimals = ASSET_DECIMALS[asset]
  const units = (text: string) => parseUnits(text, decimals) ?? 0n
  const paid = taken === 'all' ? units(total_debt) : units(taken)
  const interest = minUnits(paid, units(interest_due))
  const textOf = (value: bigint) => formatUnits(value, decimals)
  return [
    {
      label: m.stake_to_interest(),
      value: <InterestText amount={textOf(interest)} asset={asset} raises />,
    },
    { label: m.stake_to_principal(), value: <AmountText amount={textOf(paid - interest)} asset={asset} /> },
    {
      label: m.stake_debt_after(),
      value: <AmountText amount={textOf(units(total_debt) - paid)} asset={asset} raises />,
    },
  ]
}

function Repaid({ loan, taken, onClose }: { loan: RepaidLoan; taken: Taken; onClose: () => void }) {
  const isOver = loan.status === 1
  return (
    <>
      <div role="status">
        <Success
          title={isOver ? m.stake_repaid_all() : amountWords(taken, loan.borrow_asset)}
          text={
            isOver
              ? m.stake_repaid_all_text({ collateral: amountWords(loan.collateral_amount, loan.collateral_asset) })
              : m.stake_repaid_text()
          }
        />
      </div>
      <FactList facts={repaidFacts(loan)} />
      <SheetFoot>
        <Button onClick={onClose}>{m.account_done()}</Button>
      </SheetFoot>
    </>
  )
}
