import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Success } from '@clearwell/ui/components/success.tsx'
import { shortHex } from '@clearwell/ui/i18n/format.ts'
import { CommandSheet } from '../../account/command-sheet.tsx'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import type { WaitingChild } from './rich.queries.ts'
import { refusedText } from './rich-refusal.ts'
import { starWords } from './rich-words.ts'

/** Asks whether the user agrees to a child's request (specification §4), and approves it. */
export default function ApproveSheet({ child, onClose }: { child: WaitingChild; onClose: () => void }) {
  const { name, uid, address, level, star, request } = child
  const { request_id, star: wanted } = request
  const command = useCommand('approveUpgrade', { silent: true })
  return (
    <CommandSheet
      title={m.rich_approve_question({ name })}
      command={command}
      explain={refusedText}
      label={m.rich_approve()}
      confirms={request_id}
      onConfirm={() => command.mutate({ request_id }, { facts: { name, star: wanted } })}
      onClose={onClose}
      done={
        command.data && <Success title={m.rich_passed()} text={m.rich_approved_text({ name, n: String(wanted) })} />
      }
    >
      <p>{m.rich_approve_words({ n: String(wanted) })}</p>
      <FactList
        facts={[
          { label: m.rich_star_now(), value: starWords(star) },
          { label: m.rich_star_after(), value: starWords(wanted) },
          { label: m.rich_level(), value: String(level) },
          { label: m.rich_uid(), value: uid ?? '—' },
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
    </CommandSheet>
  )
}
