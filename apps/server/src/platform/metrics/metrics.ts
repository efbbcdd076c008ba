import { setTimeout as wait } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { MetricDefinition, MetricTable } from './define-metrics.ts'

/** Gauges that prom-client names like counters. The same figures have a name without the ending, by kind. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/** A collection that takes longer is left out of this response. */
const COLLECT_MS = 2_000

type NamesOf<Table extends MetricTable, Type extends MetricDefinition['type']> = {
  [Name in keyof Table]: Table[Name] extends { readonly type: Type } ? Name : never
}[keyof Table] &
  string
type LabelsOf<Definition> = Definition extends { readonly labels: infer Labels }
  ? { readonly [Label in keyof Labels]: string }
  : Readonly<Record<never, string>>

/** Writes the values of one table of metrics. */
export interface Recorder<Table extends MetricTable> {
  count<Name extends NamesOf<Table, 'counter'>>(name: Name, labels: LabelsOf<Table[Name]>, by?: number): void
  observe<Name extends NamesOf<Table, 'histogram'>>(name: Name, labels: LabelsOf<Table[Name]>, value: number): void
  /** Replaces all values of a gauge. Those that are missing here disappear: without any, the gauge is absent. */
  set<Name extends NamesOf<Table, 'gauge'>>(
    name: Name,
    values: readonly { readonly labels: LabelsOf<Table[Name]>; readonly value: number }[],
  ): void
}

export interface Metrics {
  /** Adds a table. Each is added once. */
  add<Table extends MetricTable>(table: Table): Recorder<Table>
  /** Has `collect` set its gauges before each response. */
  onCollect(collect: () => void | Promise<void>): void
  /** The names of the tables' metrics. */
  readonly names: readonly string[]
  /** All values in Prometheus's text format. */
  text(): Promise<string>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const names: string[] = []
  const collects: (() => void | Promise<void>)[] = []
  let hasProcess = false

  return {
    names,
    add(table) {
      const metrics = new Map(Object.entries(table).map(([name, each]) => [name, openMetric(registry, name, each)]))
      names.push(...metrics.keys())
      const definitions: Readonly<Record<string, MetricDefinition>> = table
      return recorderOf(metrics, (name) => definitions[name]?.labels !== undefined)
    },
    onCollect: (collect) => collects.push(collect),
    async text() {
      // Node's own figures need observers, which cost time, so they start with the first reading.
      if (!hasProcess) collectDefaultMetrics({ register: registry })
      for (const name of MISNAMED) registry.removeSingleMetric(name)
      hasProcess = true
      // A silent database must not silence the figures that show it.
      const all = Promise.allSettled(collects.map(async (collect) => collect()))
      await Promise.race([all, wait(COLLECT_MS, undefined, { ref: false })])
      return registry.metrics()
    },
  }
}

type AnyMetric = Counter | Gauge | Histogram

function openMetric(
  registry: Registry,
  name: string,
  { type, help, labels = {}, buckets }: MetricDefinition,
): AnyMetric {
  const options = { name, help, labelNames: Object.keys(labels), registers: [registry] }
  switch (type) {
    case 'counter': {
      const counter = new Counter(options)
      for (const combination of combinationsOf(labels)) counter.inc(combination, 0)
      return counter
    }
    case 'gauge': {
      const gauge = new Gauge(options)
      // Without labels it would start at 0, which looks like a measurement.
      if (options.labelNames.length === 0) gauge.remove()
      return gauge
    }
    case 'histogram':
      return new Histogram({ ...options, ...(buckets ? { buckets: [...buckets] } : {}) })
  }
}

/** Every combination of the labels' values; none if a label's values are not all known. */
function combinationsOf(labels: NonNullable<MetricDefinition['labels']>): Record<string, string>[] {
  let found: Record<string, string>[] = [{}]
  for (const [name, label] of Object.entries(labels)) {
    if (typeof label === 'string') return []
    found = found.flatMap((each) => label.values.map((value) => ({ ...each, [name]: value })))
  }
  return found
}

function recorderOf<Table extends MetricTable>(
  metrics: ReadonlyMap<string, AnyMetric>,
  hasLabels: (name: string) => boolean,
): Recorder<Table> {
  const find = (name: string) => metrics.get(name) as AnyMetric
  return {
    count: (name, labels, by = 1) => (find(name) as Counter).inc({ ...labels }, by),
    observe: (name, labels, value) => (find(name) as Histogram).observe({ ...labels }, value),
    set(name, values) {
      const gauge = find(name) as Gauge
      gauge.reset()
      // A gauge without labels is 0 after a reset.
      if (values.length === 0 && !hasLabels(name)) gauge.remove()
      for (const { labels, value } of values) gauge.set({ ...labels }, value)
    },
  }
}
