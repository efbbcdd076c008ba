import type { Queryable } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import { teamEvents } from '../../domain/members/memberships.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { shortAddress } from '../../platform/ledger/address.ts'
import type { NoticeDraft } from '../../platform/notices/notice.store.ts'
import type { Notices } from '../../platform/notices/notices.ts'

const EVERY_MS = 1_000
const PER_STEP = 200
const LINK = '/team'

type TeamEventRow = RowOf<typeof teamEvents>

/** Notifies users of activated leads and of new levels. Deletes each event in the transaction that sends its notice. */
export function notifyTeam({ send }: Pick<Notices, 'send'>) {
  return defineJob({
    name: 'team.notify',
    recurs: { everyMs: EVERY_MS },
    async step(tx, { now }) {
      const events = await takeEvents(tx)
      await send(tx, events.map(noticeOf), now)
      return events.length < PER_STEP ? 'done' : { next: {} }
    },
  })
}

async function takeEvents(tx: Queryable): Promise<TeamEventRow[]> {
  const events = await tx.query<TeamEventRow>(
    `delete from team_events where id in (select id from team_events order by at, id limit $1)
     returning ${teamEvents.columns}`,
    [PER_STEP],
  )
  // `returning` has no order.
  return events.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1))
}

function noticeOf({ id, user_id: userId, kind, lead_id, level, at: happenedAt }: TeamEventRow): NoticeDraft {
  const of = { userId, key: id, link: LINK }
  const at = happenedAt.toISOString()
  return kind === 'level_up'
    ? { ...of, kind, params: { level: level ?? 0, at } }
    : { ...of, kind, params: { lead: shortAddress(lead_id ?? ''), at } }
}
