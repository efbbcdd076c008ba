import type { ResponseOf } from '@clearwell/api/routes'
import { useEffect } from 'react'
import { ROOTS_POLL_MS } from '../../api/polling.ts'
import { queryClient } from '../../api/query-client.ts'
import { useCall } from '../../api/use-call.ts'
import { type ListItem, useListCall } from '../../api/use-list-call.ts'
import { noteRoots, noteSealedDay } from './verify/seen-roots.ts'

export type BoxRules = ResponseOf<'boxRules'>
export type BoxStatus = ResponseOf<'boxStatus'>
export type BoxCalendar = ResponseOf<'boxCalendar'>
/** A box of the user. */
export type Box = ListItem<'boxes'>
export type Click = ListItem<'boxHistory'>
/** A ledger entry that changed the pool. */
export type SourceEntry = ListItem<'boxSources'>
export type Amounts = BoxStatus['claimable']
export type ClaimResult = ResponseOf<'claimBoxes'>

/** Days in which void ones are shown. */
const DAYS_SHOWN = 30
const TODAY_POLL_MS = 10_000
const BOXES_POLL_MS = 15_000
/** A user clicks once a day and a reward can be claimed for 30 days, so this is more than all of them. One claim takes as many. */
const MOST_CLAIMABLE = 60
/** How many boxes to look through for the latest result. */
const LATEST_BOXES = 5

/** The odds, the formula and today's pool, for everyone. */
export function useBoxRules() {
  return useCall('boxRules', {}, { refetchInterval: TODAY_POLL_MS })
}

/** Loads the user's box status, once a session exists. A box that is sealed makes this browser follow the roots. */
export function useBoxStatus() {
  const status = useCall('boxStatus', {}, { refetchInterval: TODAY_POLL_MS })
  const sealed = status.data?.clicked ? status.data.day : undefined
  useEffect(() => {
    if (sealed) noteSealedDay(sealed)
  }, [sealed])
  return status
}

/** Loads the user's clicks of a month, which is the current one by default. */
export function useBoxCalendar(month: string | undefined) {
  return useCall('boxCalendar', month === undefined ? {} : { month })
}

/** Boxes whose reward can be claimed. */
export function useClaimableBoxes() {
  return useCall('boxes', { status: 0, limit: MOST_CLAIMABLE }, { refetchInterval: BOXES_POLL_MS })
}

/** The user's newest box with a result. */
export function useLatestResult() {
  return useCall(
    'boxes',
    { limit: LATEST_BOXES },
    { refetchInterval: BOXES_POLL_MS, select: ({ items }) => items.find(({ draw }) => draw !== null) ?? null },
  )
}

/** All boxes of the user, newest first. */
export function useBoxes() {
  return useListCall('boxes', {}, { refetchInterval: BOXES_POLL_MS })
}

/** The published roots, by the stream. Each is noted with the time at which this browser saw it first. */
export function useNotedRoots(): void {
  const { data } = useCall('boxRoots', {}, { refetchInterval: ROOTS_POLL_MS })
  useEffect(() => {
    if (data) noteRoots(data, new Date())
  }, [data])
}

/** The latest days with a result, void ones included. */
export function useLatestDays() {
  return useCall('boxDays', { limit: DAYS_SHOWN }, { refetchInterval: BOXES_POLL_MS })
}

/** Everyone's latest clicks. */
export function useLatestClicks() {
  return useListCall('boxHistory', {}, { refetchInterval: TODAY_POLL_MS })
}

/** Reads the latest clicks again: the user's own click is among them, next to the count that has it already. */
export function refreshClicks(): void {
  void queryClient.invalidateQueries({ queryKey: ['boxHistory'] })
}
