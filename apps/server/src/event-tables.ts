import { FEATURES } from './features.ts'
import type { EventTable } from './platform/log/define-events.ts'
import { platformEvents } from './platform/log/platform-events.ts'

/** All events of the log, by the part that writes them: the source of docs/reference/events.md. */
export const EVENT_TABLES: readonly { readonly name: string; readonly table: EventTable }[] = [
  { name: 'platform', table: platformEvents },
  ...FEATURES.flatMap((feature) =>
    'events' in feature && feature.events ? [{ name: feature.name, table: feature.events as EventTable }] : [],
  ),
]
