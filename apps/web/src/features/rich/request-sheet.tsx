import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Success } from '@clearwell/ui/components/success.tsx'
import { useState } from 'react'
import { CommandSheet } from '../../account/command-sheet.tsx'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { type RichOverview, type UpgradeRequest, useRichProgram } from './rich.queries.ts'
import { refusedText } from './rich-refusal.ts'
import { starWords, waitingWords } from './rich-words.ts'

/** Requests the next star: what it means in words, and whether it waits or passed. */
export default function RequestSheet({ overview, onClose }: { overview: RichOverview; onClose: () => void }) {
  const command = useCommand('requestUpgrade', { silent: true })
  const [{ star, next, deposit }] = useState(overview)
  const hours = useRichProgram().data?.approval_hours
  const wanted = next ?? star
  return (
    <CommandSheet
      title={m.rich_request_title()}
      command={command}
      explain={refusedText}
      label={m.rich_request()}
      confirms={String(wanted)}
      onConfirm={() => command.mutate({})}
      onClose={onClose}
      done={command.data && <Requested request={command.data} />}
    >
      <p>{m.rich_request_words({ n: String(wanted) })}</p>
      <FactList
        facts={[
          { label: m.rich_star_now(), value: starWords(star) },
          { label: m.rich_star_after(), value: starWords(wanted) },
          { label: m.rich_deposit_total(), value: <AmountText amount={deposit} asset="RT" /> },
          { label: m.rich_fee(), value: m.rich_fee_none() },
        ]}
      />
      {hours !== undefined && <p className="text-secondary text-muted">{m.rich_request_passes({ hours })}</p>}
    </CommandSheet>
  )
}

function Requested({ request }: { request: UpgradeRequest }) {
  return request.status === 'Passed' ? (
    <Success title={starWords(request.star)} text={m.rich_passed_text()} />
  ) : (
    <Success title={m.rich_requested()} text={waitingWords(request)} />
  )
}
