import { setTimeout as wait } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { MetricDefinition, MetricTable } from './define-metrics.ts'

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
  /** Replaces all values of a gauge. Label values that are missing here disappear. */
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
      return recorderOf(metrics)
    },
    onCollect: (collect) => collects.push(collect),
    async text() {
      // Node's own figures need observers, which cost time, so they start with the first reading.
      if (!hasProcess) collectDefaultMetrics({ register: registry })
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
    case 'counter':
      return new Counter(options)
    case 'gauge':
      return new Gauge(options)
    case 'histogram':
      return new Histogram({ ...options, ...(buckets ? { buckets: [...buckets] } : {}) })
  }
}

function recorderOf<Table extends MetricTable>(metrics: ReadonlyMap<string, AnyMetric>): Recorder<Table> {
  const find = (name: string) => metrics.get(name) as AnyMetric
  return {
    count: (name, labels, by = 1) => (find(name) as Counter).inc({ ...labels }, by),
    observe: (name, labels, value) => (find(name) as Histogram).observe({ ...labels }, value),
    set(name, values) {
      const gauge = find(name) as Gauge
      gauge.reset()
      for (const { labels, value } of values) gauge.set({ ...labels }, value)
    },
  }
}
