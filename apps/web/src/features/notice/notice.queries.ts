import type { ResponseOf } from '@clearwell/api/routes'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { useCall } from '../../api/use-call.ts'

type Notices = ResponseOf<'notices'>
export type Notice = Notices['items'][number]

/** The stream brings a notice immediately; without the stream it is this late at most. */
const POLL_MS = 60_000
const LATEST = { limit: 10 }
/** The most ids of one call of `Notice/read`. */
const READ_AT_ONCE = 20

/** The latest notices and the count of all unread ones. */
export function useLatestNotices() {
  return useCall('notices', LATEST, { refetchInterval: POLL_MS })
}

/** Marks notices as read: immediately on this page, then on the server. */
export function useMarkRead() {
  return useMutation({
    meta: { silent: true },
    async mutationFn(ids: readonly string[]) {
      for (let at = 0; at < ids.length; at += READ_AT_ONCE)
        await call('readNotices', { ids: ids.slice(at, at + READ_AT_ONCE) })
    },
    onMutate: (ids) => {
      queryClient.setQueryData<Notices>(['notices', LATEST], (before) => before && markedRead(before, ids))
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['notices'] }),
  })
}

/** Marks every notice as read that the user has now, also those that are not loaded. */
export function useMarkAllRead() {
  return useMutation({
    async mutationFn() {
      const newest = queryClient.getQueryData<Notices>(['notices', LATEST])?.items[0]
      if (newest) await call('readNotices', { up_to: newest.id })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['notices'] }),
  })
}

/** The notices after some of them were read, which need not be among the latest. */
export function markedRead(notices: Notices, ids: readonly string[]): Notices {
  const known = new Map(notices.items.map(({ id, read }) => [id, read]))
  const newlyRead = ids.filter((id) => known.get(id) !== true).length
  return {
    ...notices,
    items: notices.items.map((notice) => ({ ...notice, read: notice.read || ids.includes(notice.id) })),
    unread: Math.max(0, notices.unread - newlyRead),
  }
}
