import type { Answer } from '@clearwell/api/routes'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { useCall } from '../../api/use-call.ts'
import { useListCall } from '../../api/use-list-call.ts'

export type Notice = Answer<'alertNotices'>['items'][number]

/** The stream tells of a notice at once; without it this is how late one may come. */
const NOTICES_POLL_MS = 60_000
const LATEST = { limit: 10 }
/** More than may wait at a time. */
const ALL_WAITING = 100

/** The latest notices and how many are unread. */
export function useNotices() {
  return useCall('alertNotices', LATEST, { refetchInterval: NOTICES_POLL_MS })
}

/** Everything that was ever delivered, on and on as one scrolls. */
export function useDelivered() {
  return useListCall('alertNotices', {})
}

export function useWaiting() {
  return useCall('alerts', { status: 'waiting', limit: ALL_WAITING })
}

/** Which price of a market the server holds alerts against: the spot price, or the pool's where there is no other (RT). */
export type WatchedKind = 'pool' | 'spot'

export function useWatchedKind(symbol: string): WatchedKind {
  const pair = useCall('pairs', {}).data?.find((each) => each.symbol === symbol)
  return pair?.spot_symbol === null ? 'pool' : 'spot'
}

/** Marks a notice as read, or all; at once here, since the server will not say otherwise. */
export function useMarkRead() {
  return useMutation({
    meta: { silent: true },
    mutationFn: (alertId: string | undefined) => call('readAlerts', alertId === undefined ? {} : { alert_id: alertId }),
    onMutate: (alertId) => {
      queryClient.setQueryData<Answer<'alertNotices'>>(
        ['alertNotices', LATEST],
        (before) => before && read(before, alertId),
      )
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['alertNotices'] }),
  })
}

/** What the notices are once one, or all of them, were read. */
export function read(notices: Answer<'alertNotices'>, alertId: string | undefined): Answer<'alertNotices'> {
  const isRead = (notice: Notice) => notice.read || alertId === undefined || notice.alert_id === alertId
  const newlyRead = notices.items.filter((notice) => !notice.read && isRead(notice)).length
  return {
    ...notices,
    items: notices.items.map((notice) => ({ ...notice, read: isRead(notice) })),
    unread: alertId === undefined ? 0 : Math.max(0, notices.unread - newlyRead),
  }
}
