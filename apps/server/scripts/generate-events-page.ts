import { EVENT_TABLES } from '../src/event-tables.ts'
import { tableOf, writeTables } from './write-tables.ts'

/** Writes the table of docs/reference/events.md from the definitions of the events. */
const rows = EVENT_TABLES.flatMap(({ name: part, table }) =>
  Object.entries(table).map(([event, { level, text, fields = {} }]) => {
    const cells = Object.entries(fields).map(([field, about]) => `\`${field}\`: ${about}`)
    return [`\`${event}\``, level, part, text, cells.join('; ')]
  }),
)

writeTables('events.md', { events: tableOf(['event', 'level', 'part', 'meaning', 'fields'], rows) })
