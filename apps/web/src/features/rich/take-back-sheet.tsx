import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Success } from '@clearwell/ui/components/success.tsx'
import { useState } from 'react'
import { CommandSheet } from '../../account/command-sheet.tsx'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import type { RichOverview } from './rich.queries.ts'
import { refusedText } from './rich-refusal.ts'
import { rtWords } from './rich-words.ts'
import { depositAfterTakeBack } from './star-terms.ts'

/** Returns the deposit that carries no star: says what moves and what it ends. */
export default function TakeBackSheet({ overview, onClose }: { overview: RichOverview; onClose: () => void }) {
  const command = useCommand('takeBackRt', { silent: true })
  // The overview is polled, and has nothing to take back once it is done.
  const [{ spare, deposit, request }] = useState(overview)
  const { data } = command
  return (
    <CommandSheet
      title={m.rich_take_back_title()}
      command={command}
      explain={refusedText}
      label={m.rich_take_back()}
      confirms={spare}
      onConfirm={() => command.mutate({}, { facts: { amount: spare } })}
      onClose={onClose}
      done={
        data && (
          <Success
            title={<AmountText amount={spare} asset="RT" signed className="whitespace-normal" />}
            text={m.rich_collected_text({ amount: rtWords(data.wallet_balance) })}
          />
        )
      }
    >
      <p>{m.rich_take_back_words({ amount: rtWords(spare) })}</p>
      <FactList
        facts={[
          { label: m.rich_comes_back(), value: <AmountText amount={spare} asset="RT" /> },
          {
            label: m.rich_deposit_after_take_back(),
            value: <AmountText amount={depositAfterTakeBack(deposit, spare)} asset="RT" />,
          },
          ...(request?.status === 'Requested' ? [{ label: m.rich_open_request(), value: m.rich_withdrawn() }] : []),
          { label: m.rich_fee(), value: m.rich_fee_none() },
        ]}
      />
    </CommandSheet>
  )
}
