import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { ListRow } from '@clearwell/ui/components/list-row.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { useEffect, useRef, useState } from 'react'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { useWaiting } from './alert.queries.ts'
import { WAITING } from './alert.samples.ts'
import { alertText } from './alert-text.ts'
import { type Alert, withRemoved } from './removed-alerts.ts'

/** My waiting alerts, on every market. */
export function WaitingAlerts() {
  const waiting = useWaiting()
  const [removed, setRemoved] = useState<readonly Alert[]>([])
  const restore = (alert: Alert) => setRemoved((before) => before.filter((each) => each !== alert))
  return (
    <Section
      title={m.alert_waiting()}
      action={waiting.isError && waiting.data ? <Badge tone="warning">{m.ui_stale()}</Badge> : undefined}
    >
      <Loaded read={waiting} sample={WAITING}>
        {({ items }) =>
          items.length + removed.length === 0 ? (
            <div className="flex flex-col gap-1">
              <p>{m.alert_none()}</p>
              <p className="text-label text-muted">{m.alert_none_text()}</p>
            </div>
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {withRemoved(items, removed).map(({ alert, isRemoved }) =>
                isRemoved ? (
                  <RemovedRow key={alert.alert_id} alert={alert} onRestored={() => restore(alert)} />
                ) : (
                  <WaitingRow
                    key={alert.alert_id}
                    alert={alert}
                    onRemoved={() => setRemoved((before) => [...before, alert])}
                  />
                ),
              )}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

function WaitingRow({ alert, onRemoved }: { alert: Alert; onRemoved: () => void }) {
  const cancel = useCommand('cancelAlert')
  const text = alertText(alert)
  const remove = () => cancel.mutate({ alert_id: alert.alert_id }, { onSuccess: onRemoved })
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

/** An alert that was removed with one tap, perhaps by mistake: until the list closes, another tap sets it again. */
function RemovedRow({ alert, onRestored }: { alert: Alert; onRestored: () => void }) {
  const { symbol, direction, price } = alert
  const set = useCommand('setAlert')
  const undo = useRef<HTMLButtonElement>(null)
  // The button that had the focus is gone.
  useEffect(() => undo.current?.focus({ preventScroll: true }), [])
  const text = alertText(alert)
  return (
    <li className="flex items-center gap-3">
      <ListRow
        title={<s className="figures whitespace-normal text-muted [overflow-wrap:anywhere]">{text}</s>}
        detail={m.alert_removed()}
      />
      <Button
        ref={undo}
        look="quiet"
        size="small"
        className="shrink-0"
        busy={set.isPending}
        aria-label={m.alert_undo_of({ alert: text })}
        onClick={() => set.mutate({ symbol, direction, price }, { onSuccess: onRestored })}
      >
        {m.alert_undo()}
      </Button>
    </li>
  )
}
