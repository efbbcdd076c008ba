import { METRIC_TABLES } from '../src/metric-tables.ts'
import { ALARMS } from '../src/platform/alarms/alarm-kinds.ts'
import { tableOf, writeTables } from './write-tables.ts'

/** Writes the tables of docs/reference/metrics.md from the definitions of the metrics and the kinds of alarm. */
const metricRows = METRIC_TABLES.flatMap(({ name: part, table }) =>
  Object.entries(table).map(([name, { type, help, labels = {} }]) => {
    const cells = Object.entries(labels).map(
      ([label, about]) => `\`${label}\`: ${typeof about === 'string' ? about : about.about}`,
    )
    return [`\`${name}\``, type, part, help, cells.join('; ')]
  }),
)
const alarmRows = Object.entries(ALARMS).map(([kind, { severity, about }]) => [`\`${kind}\``, severity, about])

writeTables('metrics.md', {
  metrics: tableOf(['metric', 'type', 'part', 'meaning', 'labels'], metricRows),
  alarms: tableOf(['kind', 'severity', 'meaning'], alarmRows),
})
