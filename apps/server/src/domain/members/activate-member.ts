import assert from 'node:assert/strict'
import { type Context, type State, type StateKey, write } from '@clearwell/ledger/command'
import { Draft, type Planned } from '@clearwell/ledger/draft'
import { countLead, HIGHEST_LEVEL, membershipLevel } from '@clearwell/rules/membership'
import { carryInviters } from './carry-inviters.ts'
import { members } from './members.ts'
import {
  activations,
  inviters,
  LAST_ACTIVATION,
  lastNumbers,
  leadsOf,
  levelOf,
  memberships,
  teamEvents,
} from './memberships.ts'

/** Keys that {@link activateMember} reads for every user, without the inviter: a payer may not have signed in yet. */
export function activationKeys(userId: string): StateKey[] {
  return [
    { table: members, id: userId },
    { table: memberships, id: userId },
    { table: lastNumbers, id: LAST_ACTIVATION },
  ]
}

/**
 * Activates a member, and raises the levels of its inviters in the same transaction.
 *
 * A rise can only cause a rise one level higher, so at most six inviters change, however deep the team is.
 */
export function activateMember(state: State, userId: string, { now }: Context): Planned {
  const draft = new Draft(state)
  const number = (draft.row(lastNumbers, LAST_ACTIVATION)?.number ?? 0n) + 1n
  draft.add({
    rows: [
      ...carryInviters(state, userId),
      write(members, { id: userId, activated_at: now, activation_order_id: null }),
      write(activations, { id: userId, number }),
      write(lastNumbers, { id: LAST_ACTIVATION, number }),
    ],
  })
  const inviterId = draft.row(inviters, userId)?.parent_id
  if (inviterId) {
    const id = `lead_activated:${userId}`
    const event = { id, user_id: inviterId, lead_id: userId, level: null, at: now }
    draft.add({ rows: [write(teamEvents, { ...event, kind: 'lead_activated' })] })
  }
  // A member without its own activation may have a level already. It counts with its inviter from now on.
  raiseInviters(draft, userId, { from: 0, to: levelOf(draft.row(memberships, userId)) }, now)
  const { entries = [], rows = [] } = draft.plan(null)
  return { entries, rows }
}

/** Counts a lead with its inviter, and goes on to the next inviter while levels rise. */
function raiseInviters(draft: Draft, userId: string, counted: { from: number; to: number }, now: Date): void {
  let lead = userId
  let { from, to } = counted
  for (let rises = 0; ; rises++) {
    assert(rises <= HIGHEST_LEVEL + 1, 'each rise is to a higher level than the one before')
    const inviterId = draft.row(inviters, lead)?.parent_id
    if (!inviterId) return
    const row = draft.row(memberships, inviterId)
    const before = levelOf(row)
    const leads = countLead(leadsOf(row), { from, to })
    const level = membershipLevel(leads)
    const [leads_0, leads_1, leads_2, leads_3, leads_4] = leads
    draft.add({ rows: [write(memberships, { id: inviterId, level, leads_0, leads_1, leads_2, leads_3, leads_4 })] })
    if (level === before) return
    const id = `level_up:${inviterId}:${level}`
    draft.add({
      rows: [write(teamEvents, { id, user_id: inviterId, kind: 'level_up', lead_id: null, level, at: now })],
    })
    if (!draft.row(members, inviterId)?.activated_at) return
    ;({ lead, from, to } = { lead: inviterId, from: before + 1, to: level })
  }
}
