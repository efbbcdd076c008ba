import { useState } from 'react'
import { useCommand } from '../../api/use-command.ts'
import { AmountText } from '../../components/amount-text.tsx'
import { Button } from '../../components/button.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { Sheet, SheetFoot } from '../../components/sheet.tsx'
import { SheetStage } from '../../components/stage-parts.tsx'
import { Success } from '../../components/success.tsx'
import { m } from '../../generated/paraglide/messages.js'
import type { RichOverview } from './rich.queries.ts'
import { CommandProblem, ConfirmFoot, rtWords } from './rich-parts.tsx'

/** Moves the earned RT to the RT wallet balance: says so in words, does it, and shows what arrived. */
export default function CollectSheet({ overview, onClose }: { overview: RichOverview; onClose: () => void }) {
  const command = useCommand('collectRt', { silent: true })
  // The overview is polled, and shows nothing to collect once this is done.
  const [amount] = useState(overview.to_be_collected)
  const { data } = command
  return (
    <Sheet
      title={data ? m.rich_collected_title() : m.rich_collect_title()}
      onClose={onClose}
      locked={command.isPending}
    >
      <SheetStage name={data ? 'done' : 'confirm'}>
        {data ? (
          <>
            <div role="status">
              <Success
                title={<AmountText amount={amount} asset="RT" signed className="whitespace-normal" />}
                text={m.rich_collected_text({ amount: rtWords(data.wallet_balance) })}
              />
            </div>
            <SheetFoot>
              <Button onClick={onClose}>{m.rich_done()}</Button>
            </SheetFoot>
          </>
        ) : (
          <>
            <p>{m.rich_collect_words({ amount: rtWords(amount) })}</p>
            <FactList
              facts={[
                { label: m.rich_to_be_collected(), value: <AmountText amount={amount} asset="RT" /> },
                { label: m.rich_paid_from(), value: m.rich_programme() },
                { label: m.rich_fee(), value: m.rich_fee_none() },
              ]}
            />
            <CommandProblem error={command.error} />
            <ConfirmFoot
              confirms={amount}
              label={m.rich_collect()}
              busy={command.isPending}
              onConfirm={() => command.mutate({})}
              onBack={onClose}
            />
          </>
        )}
      </SheetStage>
    </Sheet>
  )
}
