import { type Command, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import { members, requireActivated } from '../../domain/members/members.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { type Overview, overviewItem, readHub } from './hub-items.ts'
import type { RichRules } from './rich.config.ts'
import { richAccounts, richUids } from './rich.tables.ts'
import { hubKeys, readLinked, readProgram } from './rich-books.ts'

/**
 * Links an external UID to an account. An account whose UID was released by the operator keeps its star and its deposit.
 *
 * @throws Refusal `not_activated`; `conflict` if the account has a UID, or if another account has this one.
 */
export function linkUid(
  rules: RichRules,
  input: {
    readonly userId: string
    readonly parentId: string | null
    readonly uid: string
    readonly name: string
    readonly key: string | undefined
  },
): Command<Overview> {
  const { userId, parentId, uid, name, key } = input
  return {
    kind: 'link_uid',
    owner: userId,
    worksUnproven: true,
    key,
    payload: { uid, name },
    preload: [...hubKeys(userId), { table: members, id: userId }, { table: richUids, id: uid }],
    decide(state, { now }) {
      requireActivated(state, userId)
      const known = state.row(richAccounts, userId)
      if (known && known.uid !== null) throw refusal('conflict', { reason: 'already_linked' })
      if (state.row(richUids, uid)?.user_id) throw refusal('conflict', { reason: 'uid_taken' })
      const draft = new Draft(state)
      const account = known ?? {
        id: userId,
        star: 0,
        settled_index: readProgram(state).release_index,
        to_collect: 0n,
        collected: 0n,
        weight: 0n,
        raised_on: null,
        request_id: null,
        steps_down_at: null,
        linked_at: now,
        parent_id: parentId,
        listed_at: now,
      }
      draft.add({
        rows: [write(richUids, { id: uid, user_id: userId }), write(richAccounts, { ...account, uid, name })],
      })
      return draft.plan(overviewItem(readHub(draft, userId), rules, now))
    },
  }
}

/** Changes the name of the UID. @throws Refusal `uid_not_linked`. */
export function renameUid(
  rules: RichRules,
  input: { readonly userId: string; readonly name: string; readonly key: string | undefined },
): Command<Overview> {
  const { userId, name, key } = input
  return {
    kind: 'rename_uid',
    owner: userId,
    worksUnproven: true,
    key,
    payload: { name },
    preload: hubKeys(userId),
    decide(state, { now }) {
      const draft = new Draft(state)
      draft.add({ rows: [write(richAccounts, { ...readLinked(state, userId), name })] })
      return draft.plan(overviewItem(readHub(draft, userId), rules, now))
    },
  }
}
