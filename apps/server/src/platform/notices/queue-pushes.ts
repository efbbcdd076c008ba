import { PUSHED_FACTS } from '@clearwell/api/notice-kinds'
import { arrayLiteral } from '@clearwell/ledger/array-literal'
import type { Queryable } from '@clearwell/ledger/database'
import type { NoticeDraft } from './notice.store.ts'

/** The message to a device about a notice; `undefined` for kinds that are not pushed from here. */
function bodyOf({ kind, params }: NoticeDraft): Readonly<Record<string, unknown>> | undefined {
  const facts: readonly string[] | undefined = PUSHED_FACTS[kind]
  if (!facts) return undefined
  return { kind, ...Object.fromEntries(facts.map((fact) => [fact, params[fact as keyof typeof params]])) }
}

/** Queues notices that were just sent for every device of their owners, in the same transaction. */
export async function queuePushes(tx: Queryable, drafts: readonly NoticeDraft[], at: Date): Promise<void> {
  const pushed = drafts.flatMap((draft) => {
    const body = bodyOf(draft)
    return body ? [{ ...draft, body }] : []
  })
  if (pushed.length === 0) return
  await tx.query(
    `insert into alert_pushes (alert_id, subscription_id, due_at, body, created_at)
     select 'n' || notice.id, device.id, $5, draft.body::jsonb, $5
     from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as draft (user_id, kind, key, body)
     join notices notice
       on notice.user_id = draft.user_id and notice.kind = draft.kind and notice.key = draft.key and notice.created_at = $5
     join push_subscriptions device on device.user_id = notice.user_id
     on conflict do nothing`,
    [
      arrayLiteral(pushed.map(({ userId }) => userId)),
      arrayLiteral(pushed.map(({ kind }) => kind)),
      arrayLiteral(pushed.map(({ key }) => key)),
      arrayLiteral(pushed.map(({ body }) => JSON.stringify(body))),
      at,
    ],
  )
}
