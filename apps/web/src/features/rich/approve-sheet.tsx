import { useCommand } from '../../api/use-command.ts'
import { Button } from '../../components/button.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { Sheet, SheetFoot } from '../../components/sheet.tsx'
import { SheetStage } from '../../components/stage-parts.tsx'
import { Success } from '../../components/success.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { shortHex } from '../../i18n/format.ts'
import type { UpgradeRequest } from './rich.queries.ts'
import { CommandProblem, ConfirmFoot, starWords } from './rich-parts.tsx'

/** Asks whether the user agrees to a child's request (specification §4), and approves it. */
export default function ApproveSheet({ request, onClose }: { request: UpgradeRequest; onClose: () => void }) {
  const { request_id, name, uid, address, star, requested_star } = request
  const command = useCommand('approveUpgrade', { silent: true })
  return (
    <Sheet title={m.rich_approve_question({ name })} onClose={onClose} locked={command.isPending}>
      <SheetStage name={command.data ? 'done' : 'confirm'}>
        {command.data ? (
          <>
            <div role="status">
              <Success title={m.rich_passed()} text={m.rich_approved_text({ name, n: String(requested_star) })} />
            </div>
            <SheetFoot>
              <Button onClick={onClose}>{m.rich_done()}</Button>
            </SheetFoot>
          </>
        ) : (
          <>
            <p>{m.rich_approve_words({ n: String(requested_star) })}</p>
            <FactList
              facts={[
                { label: m.rich_star_now(), value: starWords(star) },
                { label: m.rich_star_after(), value: starWords(requested_star) },
                { label: m.rich_uid(), value: uid },
                {
                  label: m.rich_address(),
                  value: (
                    <span title={address} className="font-mono text-label">
                      {shortHex(address)}
                    </span>
                  ),
                },
              ]}
            />
            <CommandProblem error={command.error} />
            <ConfirmFoot
              confirms={request_id}
              label={m.rich_approve()}
              busy={command.isPending}
              onConfirm={() => command.mutate({ request_id })}
              onBack={onClose}
            />
          </>
        )}
      </SheetStage>
    </Sheet>
  )
}
