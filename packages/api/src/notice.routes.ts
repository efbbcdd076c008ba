import * as z from 'zod/mini'
import { id, listOf, optional, page, timeText } from './fields.ts'
import { NOTICE_KINDS, type NoticeKind } from './notice-kinds.ts'
import type { Route } from './route.ts'

const noticeOf = <Kind extends NoticeKind>(kind: Kind) =>
  z.object({
    id: z.string(),
    kind: z.literal(kind),
    params: NOTICE_KINDS[kind],
    /** A path of the app, such as `/markets/BNBUSDT`; null if there is no page about it. */
    link: z.nullable(z.string()),
    read: z.boolean(),
    created_at: timeText,
  })

type NoticeSchema = { [Kind in NoticeKind]: ReturnType<typeof noticeOf<Kind>> }[NoticeKind]

/** One schema for each kind. The stream sends it to its owner under the name `notice`. */
export const notice = z.discriminatedUnion(
  'kind',
  (Object.keys(NOTICE_KINDS) as NoticeKind[]).map(noticeOf) as unknown as [NoticeSchema, ...NoticeSchema[]],
)

/** Most ids that one form may send. */
const MAX_IDS = 20

/** Notices to a user, from any feature. */
export const noticeRoutes = {
  notices: {
    method: 'POST',
    path: '/Notice/list',
    session: 'required',
    idempotent: false,
    summary: 'Lists the user’s notices, with the count of unread ones.',
    payload: z.object(page),
    response: z.extend(listOf(notice), { unread: z.int() }),
    refusals: [],
  },
  readNotices: {
    method: 'POST',
    path: '/Notice/read',
    session: 'required',
    idempotent: false,
    writes: true,
    summary: 'Marks up to 20 notices as read, or one with all older ones. Ignores an id of another user’s notice.',
    payload: z.object({
      ids: optional(z.array(id).check(z.maxLength(MAX_IDS))),
      /** This notice and all older ones. */
      up_to: optional(id),
    }),
    response: z.object({ unread: z.int() }),
    refusals: [],
  },
} as const satisfies Record<string, Route>
