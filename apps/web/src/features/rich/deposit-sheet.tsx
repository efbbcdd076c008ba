import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Button, buttonClass } from '@clearwell/ui/components/button.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Success } from '@clearwell/ui/components/success.tsx'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CommandSheet } from '../../account/command-sheet.tsx'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { BigAmount } from '../../vault-payment/big-amount.tsx'
import { DEPOSIT_FORM } from './deposit-form.tsx'
import { type RichOverview, useRichProgram } from './rich.queries.ts'
import { refusedText } from './rich-refusal.ts'
import { progressWords, starWords } from './rich-words.ts'
import { depositAfter, starFor } from './star-terms.ts'

/** Locks RT as the user's deposit: says in words what happens and how it comes back. */
export default function DepositSheet({
  amount,
  overview,
  onDone,
  onClose,
}: {
  amount: string
  overview: RichOverview
  /** After the deposit. */
  onDone: () => void
  onClose: () => void
}) {
  const command = useCommand('depositRt', { silent: true, form: DEPOSIT_FORM })
  // The overview is polled, and contains the amount once it is deposited.
  const [{ deposit }] = useState(overview)
  const program = useRichProgram().data
  const after = depositAfter(deposit, amount)
  const { data } = command
  return (
    <CommandSheet
      title={data ? m.rich_deposited_title() : m.rich_deposit_title()}
      command={command}
      explain={refusedText}
      label={m.rich_deposit()}
      confirms={amount}
      onConfirm={() => command.mutate({ amount })}
      onClose={data ? onDone : onClose}
      done={data && <Deposited amount={amount} overview={data} />}
      doneActions={<NextSteps onClose={onDone} />}
    >
      <BigAmount label={m.rich_deposit()} amount={amount} asset="RT" />
      <p>{m.rich_deposit_words()}</p>
      <FactList
        facts={[
          { label: m.rich_deposit_after(), value: <AmountText amount={after} asset="RT" /> },
          ...(program
            ? [
                { label: m.rich_enough_for(), value: starWords(starFor(after, program.stars)) },
                { label: m.rich_comes_back(), value: m.rich_comes_back_text({ days: program.notice_days }) },
              ]
            : []),
          { label: m.rich_fee(), value: m.rich_fee_none() },
        ]}
      />
    </CommandSheet>
  )
}

function Deposited({ amount, overview }: { amount: string; overview: RichOverview }) {
  return (
    <Success
      title={<AmountText amount={amount} asset="RT" className="whitespace-normal" />}
      text={progressWords(overview)}
    />
  )
}

function NextSteps({ onClose }: { onClose: () => void }) {
  return (
    <>
      <Link to="/{-$locale}/rich" className={buttonClass()}>
        {m.rich_to_hub()}
      </Link>
      <Button look="quiet" onClick={onClose}>
        {m.rich_deposit_more()}
      </Button>
    </>
  )
}
