/** A label whose values are all known. */
export interface KnownLabel {
  readonly about: string
  readonly values: readonly string[]
}

/** One metric, as the reference page describes it and as Prometheus reads it. */
export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** The meaning and the unit, in one sentence. */
  readonly help: string
  /**
   * Each label with its possible values. They come from code and configuration, never from users. A counter whose labels are all
   * known starts at 0 for every combination, so that Prometheus sees the first increase.
   */
  readonly labels?: Readonly<Record<string, string | KnownLabel>>
  /** Of a histogram: the upper bounds, in the metric's unit. */
  readonly buckets?: readonly number[]
}

/** Metrics by their names. A name ends with its unit, and a counter's name with `_total`. */
export type MetricTable = Readonly<Record<`clearwell_${string}`, MetricDefinition>>

/**
 * Declares metrics of the platform or of one feature.
 *
 * @example
 * const tipsMetrics = defineMetrics({
 *   clearwell_tips_total: { type: 'counter', help: 'Tips that were paid.', labels: { asset: 'an asset' } },
 * })
 */
export function defineMetrics<const Table extends MetricTable>(table: Table): Table {
  return table
}
