import { type Command, write } from '@clearwell/ledger/command'
import type { NoticeDraft } from '../../platform/notices/notice.store.ts'
import type { ListedRequest } from './rich.store.ts'
import { type RequestRow, richRequests } from './rich.tables.ts'

const LINK = '/rich'

/** The notices about a request. Each has a key, so sending it again changes nothing. */
export function noticesOf(request: ListedRequest): NoticeDraft[] {
  const { id, user_id: userId, star, status, moves } = request
  const own = { userId, link: LINK, params: { request_id: id, star } } as const
  switch (status) {
    case 'Requested': {
      const params = { request_id: id, star, name: request.requester_name }
      const waiting = { userId: request.asked_id, link: LINK, kind: 'upgrade_requested', key: id, params } as const
      return moves === 0 ? [waiting] : [waiting, { ...own, kind: 'upgrade_passed_on', key: `${id}:${moves}` }]
    }
    case 'Passed':
      return [{ ...own, kind: 'upgrade_passed', key: id }]
    case 'Withdrawn':
      return []
  }
}

/** Marks requests as announced, unless they have changed meanwhile. */
export function markAnnounced(sent: readonly RequestRow[]): Command<{ announced: number }> {
  return {
    kind: 'announce_upgrade_requests',
    owner: 'rich',
    payload: {},
    preload: sent.map(({ id }) => ({ table: richRequests, id })),
    decide(state) {
      const rows = sent.flatMap((seen) => {
        const row = state.row(richRequests, seen.id)
        return row?.status === seen.status && row.moves === seen.moves
          ? [write(richRequests, { ...row, is_announced: true })]
          : []
      })
      return { rows, response: { announced: rows.length } }
    },
  }
}
