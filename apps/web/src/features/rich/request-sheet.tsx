import { useState } from 'react'
import { useCommand } from '../../api/use-command.ts'
import { AmountText } from '../../components/amount-text.tsx'
import { Button } from '../../components/button.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { Sheet, SheetFoot } from '../../components/sheet.tsx'
import { SheetStage } from '../../components/stage-parts.tsx'
import { Success } from '../../components/success.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { type RichOverview, type UpgradeRequest, useRichProgram } from './rich.queries.ts'
import { CommandProblem, ConfirmFoot, starWords } from './rich-parts.tsx'
import { waitingText } from './star-progress.tsx'

/** Requests the next star: what it means in words, and whether it waits or passed. */
export default function RequestSheet({ overview, onClose }: { overview: RichOverview; onClose: () => void }) {
  const command = useCommand('requestUpgrade', { silent: true })
  const [{ star, next, deposit }] = useState(overview)
  const hours = useRichProgram().data?.approval_hours
  const wanted = next ?? star
  return (
    <Sheet title={m.rich_request_title()} onClose={onClose} locked={command.isPending}>
      <SheetStage name={command.data ? 'done' : 'confirm'}>
        {command.data ? (
          <Requested request={command.data} onClose={onClose} />
        ) : (
          <>
            <p>{m.rich_request_words({ n: String(wanted) })}</p>
            <FactList
              facts={[
                { label: m.rich_star_now(), value: starWords(star) },
                { label: m.rich_star_after(), value: starWords(wanted) },
                { label: m.rich_deposit_total(), value: <AmountText amount={deposit} asset="RT" /> },
                { label: m.rich_fee(), value: m.rich_fee_none() },
              ]}
            />
            {hours !== undefined && <p className="text-secondary text-muted">{m.rich_request_passes_up({ hours })}</p>}
            <CommandProblem error={command.error} />
            <ConfirmFoot
              confirms={String(wanted)}
              label={m.rich_request()}
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

function Requested({ request, onClose }: { request: UpgradeRequest; onClose: () => void }) {
  const star = starWords(request.requested_star)
  return (
    <>
      <div role="status">
        {request.status === 'Passed' ? (
          <Success title={star} text={m.rich_passed_text()} />
        ) : (
          <Success title={m.rich_requested()} text={waitingText(request)} />
        )}
      </div>
      <SheetFoot>
        <Button onClick={onClose}>{m.rich_done()}</Button>
      </SheetFoot>
    </>
  )
}
