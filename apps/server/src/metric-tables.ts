import { FEATURES } from './features.ts'
import { backupMetrics } from './platform/metrics/backup-metrics.ts'
import type { MetricTable } from './platform/metrics/define-metrics.ts'
import { moneyMetrics } from './platform/metrics/money-metrics.ts'
import { platformMetrics } from './platform/metrics/platform-metrics.ts'

/** All metrics of the server, by the part that has them: the source of docs/reference/metrics.md. */
export const METRIC_TABLES: readonly { readonly name: string; readonly table: MetricTable }[] = [
  { name: 'platform', table: platformMetrics },
  { name: 'platform', table: moneyMetrics },
  { name: 'platform', table: backupMetrics },
  ...FEATURES.flatMap((feature) =>
    'metrics' in feature && feature.metrics ? [{ name: feature.name, table: feature.metrics as MetricTable }] : [],
  ),
]
