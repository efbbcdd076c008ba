import { useState } from 'react'
import { useCommand } from '../../api/use-command.ts'
import { AmountText } from '../../components/amount-text.tsx'
import { Button } from '../../components/button.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { Sheet, SheetFoot } from '../../components/sheet.tsx'
import { SheetStage } from '../../components/stage-parts.tsx'
import { Success } from '../../components/success.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatDateTime } from '../../i18n/format-date.ts'
import { type RichOverview, useRichProgram } from './rich.queries.ts'
import { CommandProblem, ConfirmFoot, rtWords, starWords } from './rich-parts.tsx'

/** Gives notice: says what ends, what comes back and when. */
export default function StepDownSheet({ overview, onClose }: { overview: RichOverview; onClose: () => void }) {
  const command = useCommand('stepDown', { silent: true })
  const [{ star, deposit, request }] = useState(overview)
  const days = useRichProgram().data?.notice_days ?? 0
  const notice = command.data?.step_down
  return (
    <Sheet title={m.rich_step_down_title()} onClose={onClose} locked={command.isPending}>
      <SheetStage name={notice ? 'done' : 'confirm'}>
        {notice ? (
          <>
            <div role="status">
              <Success
                title={m.rich_notice_given()}
                text={m.rich_stepping_down_text({
                  amount: rtWords(notice.amount),
                  time: formatDateTime(notice.returns_at),
                })}
              />
            </div>
            <SheetFoot>
              <Button onClick={onClose}>{m.rich_done()}</Button>
            </SheetFoot>
          </>
        ) : (
          <>
            <p>{m.rich_step_down_words({ days })}</p>
            <FactList
              facts={[
                { label: m.rich_comes_back(), value: <AmountText amount={deposit} asset="RT" /> },
                { label: m.rich_star_now(), value: starWords(star) },
                { label: m.rich_star_after_notice(), value: starWords(0) },
                ...(request?.status === 'Requested'
                  ? [{ label: m.rich_open_request(), value: m.rich_withdrawn() }]
                  : []),
                { label: m.rich_fee(), value: m.rich_fee_none() },
              ]}
            />
            <CommandProblem error={command.error} />
            <ConfirmFoot
              danger
              confirms={deposit}
              label={m.rich_step_down()}
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
