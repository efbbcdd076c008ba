import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Success } from '@clearwell/ui/components/success.tsx'
import { useState } from 'react'
import { CommandSheet } from '../../account/command-sheet.tsx'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import type { RichOverview } from './rich.queries.ts'
import { refusedText } from './rich-refusal.ts'
import { returnWords, starWords } from './rich-words.ts'

/** Gives notice: says what ends, what comes back and when. */
export default function StepDownSheet({
  overview,
  days,
  onClose,
}: {
  overview: RichOverview
  /** Of the notice. */
  days: number
  onClose: () => void
}) {
  const command = useCommand('stepDown', { silent: true })
  // The overview is polled, and shows the notice once it is given.
  const [{ star, deposit, request }] = useState(overview)
  const notice = command.data?.step_down
  return (
    <CommandSheet
      title={m.rich_step_down_title()}
      command={command}
      explain={refusedText}
      danger
      label={m.rich_step_down()}
      confirms={deposit}
      onConfirm={() => command.mutate({})}
      onClose={onClose}
      done={notice && <Success title={m.rich_notice_given()} text={returnWords(notice)} />}
    >
      <p>{m.rich_step_down_words({ days })}</p>
      <FactList
        facts={[
          { label: m.rich_comes_back(), value: <AmountText amount={deposit} asset="RT" /> },
          { label: m.rich_star_now(), value: starWords(star) },
          { label: m.rich_star_after_notice(), value: starWords(0) },
          ...(request?.status === 'Requested' ? [{ label: m.rich_open_request(), value: m.rich_withdrawn() }] : []),
          { label: m.rich_fee(), value: m.rich_fee_none() },
        ]}
      />
    </CommandSheet>
  )
}
