import type { ResponseOf } from '@clearwell/api/routes'
import { Button } from '@clearwell/ui/components/button.tsx'
import { ConfirmSheet } from '@clearwell/ui/components/confirm-sheet.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Sheet, SheetFoot } from '@clearwell/ui/components/sheet.tsx'
import { formatHongKongTime } from '@clearwell/ui/i18n/format-date.ts'
import { refreshUser } from '../../api/query-client.ts'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { GROUP_WORDS, REASON_WORDS } from './data-words.ts'

type Erased = ResponseOf<'eraseData'>

/** Says in words what is erased, erases it, and then lists what stays and why. */
export default function EraseSheet({ onClose }: { onClose: () => void }) {
  const erase = useCommand('eraseData', { silent: true })
  if (erase.data) return <Outcome outcome={erase.data} onClose={onClose} />
  return (
    <ConfirmSheet
      title={m.data_erase()}
      text={m.data_erase_text()}
      facts={[
        { label: m.data_will_erase(), value: m.data_erase_what() },
        { label: m.data_will_keep(), value: m.data_erase_keeps() },
      ]}
      warning={m.data_erase_warning()}
      confirmLabel={erase.isError ? m.app_retry() : m.data_erase()}
      danger
      busy={erase.isPending}
      onConfirm={() => erase.mutate({}, { onSuccess: () => void refreshUser() })}
      onClose={onClose}
    >
      {erase.error && !erase.isPending && <ErrorState error={erase.error} moneyMoved="no" />}
    </ConfirmSheet>
  )
}

/** Lists the erased groups and those that stay. Groups of a newer server are left out. */
function Outcome({ outcome, onClose }: { outcome: Erased; onClose: () => void }) {
  const kept = outcome.kept.filter(({ what, why }) => what in GROUP_WORDS && why in REASON_WORDS)
  return (
    <Sheet title={m.data_done()} onClose={onClose}>
      <section aria-label={m.data_erased()}>
        <h3 className="text-muted">{m.data_erased()}</h3>
        <FactList
          facts={outcome.erased
            .filter(({ what }) => what in GROUP_WORDS)
            .map(({ what, rows }) => ({ label: GROUP_WORDS[what].name(), value: String(rows) }))}
        />
      </section>
      <section aria-label={m.data_kept()}>
        <h3 className="text-muted">{m.data_kept()}</h3>
        <ul className="flex flex-col divide-y divide-line">
          {kept.map(({ what, why, until }) => (
            <li key={what} className="flex flex-col py-2">
              <span>{GROUP_WORDS[what].name()}</span>
              <span className="text-secondary text-muted text-phrases">
                {REASON_WORDS[why]()}
                {until !== null && ` ${m.data_until({ time: formatHongKongTime(until) })}`}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <SheetFoot>
        <Button look="quiet" onClick={onClose}>
          {m.app_close()}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
