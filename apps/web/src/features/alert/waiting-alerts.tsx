import type { ResponseOf } from '@clearwell/api/routes'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { ListRow } from '@clearwell/ui/components/list-row.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { showToast } from '@clearwell/ui/components/toast-store.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { useWaiting } from './alert.queries.ts'
import { WAITING } from './alert.samples.ts'
import { alertText } from './alert-text.ts'

type Alert = ResponseOf<'alerts'>['items'][number]

/** My waiting alerts, on every market. */
export function WaitingAlerts() {
  const waiting = useWaiting()
  return (
    <Section
      title={m.alert_waiting()}
      action={waiting.isError && waiting.data ? <Badge tone="warning">{m.ui_stale()}</Badge> : undefined}
    >
      <Loaded read={waiting} sample={WAITING}>
        {({ items }) =>
          items.length === 0 ? (
            <div className="flex flex-col gap-1">
              <p>{m.alert_none()}</p>
              <p className="text-label text-muted">{m.alert_none_text()}</p>
            </div>
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {items.map((alert) => (
                <WaitingRow key={alert.alert_id} alert={alert} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

function WaitingRow({ alert }: { alert: Alert }) {
  const cancel = useCommand('cancelAlert')
  const text = alertText(alert)
  const remove = () => cancel.mutate({ alert_id: alert.alert_id }, { onSuccess: () => showToast(m.alert_removed()) })
  return (
    <li className="flex items-center">
      <ListRow
        title={<span className="figures whitespace-normal [overflow-wrap:anywhere]">{text}</span>}
        detail={m.alert_since({ time: formatDateTime(alert.created_at) })}
      />
      <IconButton icon="x" label={m.alert_remove({ alert: text })} disabled={cancel.isPending} onClick={remove} />
    </li>
  )
}
