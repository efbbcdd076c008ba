import type { ResponseOf } from '@clearwell/api/routes'
import { PAIRS_POLL_MS } from '../../api/polling.ts'
import { useCall } from '../../api/use-call.ts'
import { type ListItem, useListCall } from '../../api/use-list-call.ts'

export type RichOverview = ResponseOf<'richOverview'>
export type RichProgram = ResponseOf<'richProgram'>
export type UpgradeRequest = ListItem<'richRequests'>
export type Child = ListItem<'richChildren'>
/** A child whose request the user can approve. */
export type WaitingChild = Child & { readonly request: NonNullable<Child['request']> }
export type Earning = ResponseOf<'richEarnings'>[number]

/** A request can pass at any moment; nothing else here changes faster. */
const OVERVIEW_POLL_MS = 5_000
const CHILDREN_POLL_MS = 10_000
/** The programme releases once a day. */
const PROGRAM_POLL_MS = 60_000
/** How many candles are drawn. */
const CANDLES = { '1d': 30, '1w': 26, '1M': 12 } as const

export type Interval = keyof typeof CANDLES

/** The user's star, deposit, balance and earnings. */
export function useRichOverview() {
  return useCall('richOverview', {}, { refetchInterval: OVERVIEW_POLL_MS })
}

/** The terms of each star, and the daily release. Public. */
export function useRichProgram() {
  return useCall('richProgram', {}, { refetchInterval: PROGRAM_POLL_MS })
}

/** The pool in which RT can be sold; `undefined` where the operator has none. */
export function useRtPool() {
  return useCall('pairs', {}, { refetchInterval: PAIRS_POLL_MS }).data?.find(({ base }) => base === 'RT')
}

/** The people whom the user invited, those with the latest requests first. */
export function useChildren() {
  return useListCall('richChildren', {}, { refetchInterval: CHILDREN_POLL_MS })
}

/** The user's own requests, newest first. */
export function useMyRequests() {
  return useListCall('richRequests', {}, { refetchInterval: CHILDREN_POLL_MS })
}

/** The RT that the user collected so far, as candles. */
export function useEarnings(interval: Interval) {
  return useCall('richEarnings', { interval, limit: CANDLES[interval] })
}
