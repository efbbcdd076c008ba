import { useState } from 'react'
import { CommandSheet } from '../../account/command-sheet.tsx'
import { useCommand } from '../../api/use-command.ts'
import { AmountText } from '../../components/amount-text.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { Success } from '../../components/success.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatDateTime } from '../../i18n/format-date.ts'
import { type RichOverview, useRichProgram } from './rich.queries.ts'
import { rtWords, starWords } from './rich-parts.tsx'
import { refusedText } from './rich-refusal.ts'

/** Gives notice: says what ends, what comes back and when. */
export default function StepDownSheet({ overview, onClose }: { overview: RichOverview; onClose: () => void }) {
  const command = useCommand('stepDown', { silent: true })
  const [{ star, deposit, request }] = useState(overview)
  const days = useRichProgram().data?.notice_days ?? 0
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
      done={
        notice && (
          <Success
            title={m.rich_notice_given()}
            text={m.rich_stepping_down_text({
              amount: rtWords(notice.amount),
              time: formatDateTime(notice.returns_at),
            })}
          />
        )
      }
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
