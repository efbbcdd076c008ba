import type { Queryable } from '@clearwell/ledger/database'
import { endPerson, setPerson } from './change-person.ts'
import { type ActionRow, operatorActions, operatorPersons, type PersonRow } from './operator.tables.ts'
import { type AnyOperatorAction, needsOf } from './operator-action.ts'
import { parseRequest } from './operator-command.ts'
import { mayAct } from './roles.ts'
import { recoverSigners } from './statement.ts'

type Known = Pick<PersonRow, 'roles' | 'ended_at'>

/**
 * Verifies the audit log of the operator, without trusting the database: each change is signed by enough persons who had its role
 * then, and the persons are those that the signed changes made. Changes of versions without signatures came before the first owners.
 *
 * @returns one sentence per fault.
 */
export async function auditPersons(db: Queryable, actions: readonly AnyOperatorAction[]): Promise<string[]> {
  const rows = await db.query<ActionRow>(`select ${operatorActions.columns} from operator_actions order by at, id`)
  const start = rows.findIndex(({ kind }) => kind === 'first_owner')
  const known = new Map<string, Known>()
  const faults: string[] = []
  for (const row of start < 0 ? [] : rows.slice(start)) {
    if (row.kind === 'first_owner' && row.at.getTime() === rows[start]?.at.getTime()) {
      known.set(JSON.parse(row.payload).address, { roles: 'owner', ended_at: null })
      continue
    }
    const fault = await findFault(row, actions, known)
    if (fault) faults.push(`the action ${row.id} (${row.kind}) ${fault}`)
    else applyTo(known, row)
  }
  const persons = await db.query<PersonRow>(`select ${operatorPersons.columns} from operator_persons order by id`)
  return [...faults, ...persons.flatMap((person) => differenceOf(person, known.get(person.id)))]
}

async function findFault(
  row: ActionRow,
  actions: readonly AnyOperatorAction[],
  known: ReadonlyMap<string, Known>,
): Promise<string | undefined> {
  const { chain_id, vault, expires_at, signatures } = row
  if (chain_id === null || vault === null || expires_at === null || signatures === null) return 'has no signature'
  const { action, payload } = parseRequest(actions, row)
  if (!action) return 'is of an unknown kind'
  const { role, persons } = needsOf(action, payload)
  const signed = await recoverSigners({ ...row, chain_id, vault, expires_at }, JSON.parse(signatures))
  const able = new Set(signed.map(({ signer }) => signer).filter((signer) => canAct(known.get(signer), role)))
  return able.size < persons ? `has ${able.size} valid signatures, and needs ${persons}` : undefined
}

function canAct(person: Known | undefined, role: Parameters<typeof mayAct>[1]): boolean {
  return person !== undefined && mayAct(person, role)
}

/** Replays a signed change of persons. */
function applyTo(known: Map<string, Known>, { kind, payload, at }: ActionRow): void {
  const { address, roles } = JSON.parse(payload)
  if (kind === setPerson.kind) known.set(address, { roles: [...roles].toSorted().join(','), ended_at: null })
  const before = known.get(address)
  if (kind === endPerson.kind && before) known.set(address, { ...before, ended_at: at })
}

function differenceOf({ id, name, roles, ended_at: endedAt }: PersonRow, made: Known | undefined): string[] {
  if (!made) return [`${name} (${id}) is a person, and no signed action made them one`]
  const isSame = sorted(roles) === sorted(made.roles) && (endedAt === null) === (made.ended_at === null)
  return isSame ? [] : [`${name} (${id}) has other roles than the signed actions gave`]
}

function sorted(roles: string): string {
  return roles.split(',').toSorted().join(',')
}
