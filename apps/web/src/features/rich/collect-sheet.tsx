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

/** Moves the earned RT to the RT wallet balance: says so in words, does it, and shows what arrived. */
export default function CollectSheet({ overview, onClose }: { overview: RichOverview; onClose: () => void }) {
  const command = useCommand('collectRt', { silent: true })
  const [collected, setCollected] = useState<string>()
  // The polled overview shows nothing to collect once this is done. Before, it grows with a release.
  const amount = collected ?? overview.to_be_collected
  const { data } = command
  return (
    <CommandSheet
      title={data ? m.rich_collected_title() : m.rich_collect_title()}
      command={command}
      explain={refusedText}
      label={m.rich_collect()}
      confirms={amount}
      onConfirm={() => {
        setCollected(amount)
        command.mutate({}, { facts: { amount } })
      }}
      onClose={onClose}
      done={
        data && (
          <Success
            title={<AmountText amount={amount} asset="RT" signed className="whitespace-normal" />}
            text={m.rich_collected_text({ amount: rtWords(data.wallet_balance) })}
          />
        )
      }
    >
      <p>{m.rich_collect_words({ amount: rtWords(amount) })}</p>
      <FactList
        facts={[
          { label: m.rich_to_be_collected(), value: <AmountText amount={amount} asset="RT" /> },
          { label: m.rich_paid_from(), value: m.rich_programme() },
          { label: m.rich_fee(), value: m.rich_fee_none() },
        ]}
      />
    </CommandSheet>
  )
}
