import type { ResponseOf } from '@clearwell/api/routes'

export type Alert = ResponseOf<'alerts'>['items'][number]

/** An alert in the list; one that was removed there keeps its place, so that it can be set again. */
export interface ListedAlert {
  readonly alert: Alert
  readonly isRemoved: boolean
}

/** The waiting alerts, the newest first, with those that were removed while the list is open. */
export function withRemoved(waiting: readonly Alert[], removed: readonly Alert[]): ListedAlert[] {
  const ids = new Set(removed.map(({ alert_id }) => alert_id))
  // The list may not have been read again since.
  const kept = waiting.filter(({ alert_id }) => !ids.has(alert_id)).map((alert) => ({ alert, isRemoved: false }))
  const gone = removed.map((alert) => ({ alert, isRemoved: true }))
  return [...kept, ...gone].toSorted(
    (one, other) => Date.parse(other.alert.created_at) - Date.parse(one.alert.created_at),
  )
}
