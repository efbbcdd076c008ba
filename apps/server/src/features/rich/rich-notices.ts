import { type Command, write } from '@clearwell/ledger/command'
import type { NoticeDraft } from '../../platform/notices/notice.store.ts'
import { type ListedRequest, type RequestRow, richRequests } from './rich.tables.ts'

const LINK = '/rich'

/** The notices about a request. Each has a key, so sending it again changes nothing. */
export function noticesOf(request: ListedRequest): NoticeDraft[] {
  const { id, user_id: userId, star, status } = request
  switch (status) {
    case 'Requested': {
      const at = request.created_at.toISOString()
      const params = { request_id: id, star, name: request.requester_name, at }
      return [{ userId: request.parent_id, link: LINK, kind: 'upgrade_requested', key: id, params }]
    }
    case 'Passed': {
      const params = { request_id: id, star, at: request.passed_at.toISOString() }
      return [{ userId, link: LINK, kind: 'upgrade_passed', key: id, params }]
    }
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
        return row?.status === seen.status ? [write(richRequests, { ...row, is_announced: true })] : []
      })
      return { rows, response: { announced: rows.length } }
    },
  }
}
