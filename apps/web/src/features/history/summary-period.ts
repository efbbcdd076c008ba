import type { PayloadInput } from '@clearwell/api/routes'

export type Period = NonNullable<PayloadInput<'summary'>['period']>

export const PERIODS = ['day', 'week', 'month', 'year'] as const satisfies readonly Period[]

/** The period whose values are shown. */
export interface SummarySearch {
  readonly period?: Period
}

/** Reads the period from the path's query; empty without a valid one. */
export function readPeriod({ period }: Record<string, unknown>): SummarySearch {
  const known = PERIODS.find((each) => each === period)
  return known ? { period: known } : {}
}
