import { type Command, type State, write } from '@clearwell/ledger/command'
import * as z from 'zod/mini'
import { operatorActions, operatorPersons, operatorRequests, type PersonRow } from './operator.tables.ts'
import { defineOperatorAction, type OperatorResult } from './operator-action.ts'
import { ROLES, type Role } from './roles.ts'

const address = z.string().check(z.regex(/^0x[0-9a-f]{40}$/))
/** Printed in lists. */
const name = z.string().check(z.minLength(1), z.maxLength(60), z.regex(/^[^\p{Cc},]*$/u))

/** Adds a person, or gives a person another name and other roles. */
export const setPerson = defineOperatorAction({
  kind: 'set_person',
  role: 'owner',
  persons: 2,
  payload: z.strictObject({ address, name, roles: z.array(z.enum(ROLES)).check(z.minLength(1)) }),
  preload: ({ address: id }) => [{ table: operatorPersons, id }],
  decide(draft, { now }, { address: id, name, roles }) {
    const before = draft.row(operatorPersons, id)
    const kept = before && before.ended_at === null ? before.since : now
    const row = { id, name, roles: rolesText(roles), since: kept, ended_at: null }
    draft.add({ rows: [write(operatorPersons, row)] })
    const change = { before: before ? describe(before) : 'nobody', after: describe(row) }
    return { isDone: true, text: `${name} (${id}) has the roles ${row.roles}.`, change }
  },
})

/**
 * Ends a person's roles. One owner can end anyone but an owner. Two are needed for an owner, and two owners must remain: a single
 * one could not add another.
 */
export const endPerson = defineOperatorAction({
  kind: 'end_person',
  role: 'owner',
  persons: ({ remaining }) => (remaining ? 2 : 1),
  payload: z.strictObject({
    address,
    /** Two other owners, where the person is an owner. */
    remaining: z.optional(z.tuple([address, address])),
  }),
  preload: ({ address: id, remaining = [] }) =>
    [id, ...remaining].map((each) => ({ table: operatorPersons, id: each })),
  decide(draft, { now }, { address: id, remaining }) {
    const row = draft.row(operatorPersons, id)
    if (!row || row.ended_at) return notDone(`${id} is not a person of the operator.`)
    if (isOwner(row) && !areOtherOwners(draft, id, remaining))
      return notDone('Two other owners must remain: add them first.')
    const ended = { ...row, ended_at: now }
    draft.add({ rows: [write(operatorPersons, ended)] })
    const change = { before: describe(row), after: describe(ended) }
    return { isDone: true, text: `${row.name} (${id}) may not act any more.`, change }
  },
})

/** Refuses a request that waits for signatures. Anyone of the operator can: it stops, and a new request can follow. */
export const refuseRequest = defineOperatorAction({
  kind: 'refuse_request',
  role: 'viewer',
  persons: 1,
  payload: z.strictObject({ id: z.string() }),
  preload: ({ id }) => [{ table: operatorRequests, id }],
  decide(draft, { now }, { id }) {
    const row = draft.row(operatorRequests, id)
    if (!row || row.done_at) return notDone(`No request ${JSON.stringify(id)} waits for signatures.`)
    const result = 'A person refused it.'
    draft.add({ rows: [write(operatorRequests, { ...row, done_at: now, outcome: 'refused', result })] })
    return { isDone: true, text: `The request ${id} (${row.kind}) is refused.` }
  },
})

export const PERSON_ACTIONS = [setPerson, endPerson, refuseRequest] as const

/** Stores the first owners, whom the configuration names, with a row of the audit log for each. */
export function storeFirstOwners(
  owners: readonly { readonly address: string; readonly name: string }[],
): Command<{ stored: number }> {
  const ids = owners.map(({ address }) => address.toLowerCase())
  return {
    kind: 'first_owners',
    owner: 'operator',
    payload: {},
    preload: ids.map((id) => ({ table: operatorPersons, id })),
    decide(state, { now, id: newId }) {
      const known = state.rows(operatorPersons, ids)
      if (known.some((row) => row !== undefined)) return { response: { stored: 0 } }
      const rows = owners.flatMap(({ name }, index) => {
        const person = { id: ids[index] ?? '', name, roles: 'owner', since: now, ended_at: null }
        const result = `${name} (${person.id}) is an owner from the start.`
        return [
          write(operatorPersons, person),
          write(operatorActions, {
            ...{
              id: newId(`owner-${index}`),
              kind: 'first_owner',
              payload: JSON.stringify({ address: person.id, name }),
            },
            ...{ reason: 'the configuration names the first owners', result, at: now },
            ...{ person: null, second_person: null, role: null, value_before: 'nobody', value_after: describe(person) },
            ...{ chain_id: null, vault: null, expires_at: null, signatures: null, account: null },
          }),
        ]
      })
      return { rows, response: { stored: owners.length } }
    },
  }
}

function areOtherOwners(draft: State, id: string, others: readonly string[] = []): boolean {
  const rows = draft.rows(
    operatorPersons,
    [...new Set(others)].filter((each) => each !== id),
  )
  return rows.filter((row) => row && !row.ended_at && isOwner(row)).length >= 2
}

export function isOwner({ roles }: Pick<PersonRow, 'roles'>): boolean {
  return roles.split(',').includes('owner')
}

function rolesText(roles: readonly Role[]): string {
  return ROLES.filter((role) => roles.includes(role)).join(',')
}

function describe({ name, roles, ended_at: endedAt }: PersonRow): string {
  return `${name}: ${endedAt ? 'ended' : roles}`
}

function notDone(text: string): OperatorResult {
  return { isDone: false, text }
}
