import type { noticeRoutes } from '@clearwell/api/notice.routes'
import { DEFAULT_PAGE, decodeNumber, pageOf } from '../../platform/http/paging.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { type Notices, noticeItem } from '../../platform/notices/notices.ts'
import type { Clock } from '../../platform/time/clock.ts'

export function noticeHandlers({
  notices,
  clock,
}: {
  readonly notices: Notices
  readonly clock: Clock
}): HandlersOf<typeof noticeRoutes> {
  return {
    async notices({ cursor, limit = DEFAULT_PAGE }, { user }) {
      const [rows, unread] = await Promise.all([
        notices.list(user.id, { below: decodeNumber(cursor), limit: limit + 1 }),
        notices.countUnread(user.id),
      ])
      return { ...pageOf(rows, limit, noticeItem, ({ id }) => id.toString()), unread }
    },

    async readNotices({ ids = [], up_to: upTo }, { user }) {
      const at = clock.now()
      await notices.markRead(user.id, { ids: numbersOf(ids) }, at)
      const [last] = upTo === undefined ? [] : numbersOf([upTo])
      if (last !== undefined) await notices.markRead(user.id, { upTo: last }, at)
      return { unread: await notices.countUnread(user.id) }
    },
  }
}

/** An id of another form is of no notice, which changes nothing. */
function numbersOf(ids: readonly string[]): bigint[] {
  return ids.filter((id) => /^\d{1,18}$/.test(id)).map(BigInt)
}
