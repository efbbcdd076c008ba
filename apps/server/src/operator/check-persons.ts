import type { Database } from '@clearwell/ledger/database'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { operatorAddresses } from '../config/operator-accounts.ts'
import type { Config } from '../load-config.ts'
import { isOwner } from '../platform/operator/change-person.ts'
import type { PersonRow } from '../platform/operator/operator.tables.ts'
import { ROLES } from '../platform/operator/roles.ts'
import { signerAccount } from '../platform/signer/open-signer.ts'
import type { Check } from './check-result.ts'
import { readPersons } from './request-store.ts'

/**
 * Checks that two persons can sign what lets money move, and that no key of a server or account of the operator is a person's. The local
 * profile has its own owners. A database that does not respond is a fault of another check.
 */
export async function checkPersons(config: Config): Promise<Check> {
  const { databaseUrl, profile } = config.env
  const stored = databaseUrl ? await read(databaseUrl).catch(() => undefined) : NONE
  if (!stored || profile === 'local') return { name: 'persons', faults: [] }
  return { name: 'persons', ...judgePersons(config, stored) }
}

/** Judges the persons of a ledger, or those who will be its first. */
export function judgePersons(config: PersonsConfig, { persons: all, users }: Stored): Required<Omit<Check, 'name'>> {
  if (all.length === 0) {
    const first = firstOwners(config)
    const none = 'the ledger has no owner, and firstOwners names none: no one could suspend a pool or move money'
    return { faults: [...(first.length === 0 ? [none] : []), ...keyFaults(config, first)], notes: [] }
  }
  const persons = all.filter(({ ended_at: ended }) => ended === null)
  return {
    faults: [...ownerFaults(persons), ...keyFaults(config, persons)],
    notes: [...roleNotes(persons), ...userNotes(persons, users), ...firstOwnerNotes(config, persons)],
  }
}

type PersonsConfig = Pick<Config, 'env' | 'firstOwners' | 'operatorAccounts' | 'chain'>
type Person = Pick<PersonRow, 'id' | 'name' | 'roles'>

interface Stored {
  readonly persons: readonly (Person & Pick<PersonRow, 'ended_at'>)[]
  /** The persons whose address is also the account of a user. */
  readonly users: ReadonlySet<string>
}

const NONE: Stored = { persons: [], users: new Set() }

async function read(databaseUrl: string): Promise<Stored> {
  const db = await openPostgresDatabase(databaseUrl, { maxConnections: 1 })
  try {
    const [found] = await db.query<{ is_there: boolean }>(
      `select to_regclass('operator_persons') is not null as is_there`,
    )
    return found?.is_there ? await readStored(db) : NONE
  } finally {
    await db.close()
  }
}

async function readStored(db: Database): Promise<Stored> {
  const persons = await readPersons(db)
  const ids = persons.map(({ id }) => id)
  const rows = await db.query<{ id: string }>('select id from users where id = any($1::text[])', [ids])
  return { persons, users: new Set(rows.map(({ id }) => id)) }
}

function firstOwners({ firstOwners: named }: PersonsConfig): Person[] {
  return named.map(({ address, name }) => ({ id: address.toLowerCase(), name, roles: 'owner' }))
}

function ownerFaults(persons: readonly Person[]): string[] {
  const owners = persons.filter(isOwner)
  if (owners.length >= 2) return []
  return [
    `the ledger has ${owners.length === 0 ? 'no owner' : 'one owner'}: two sign what changes persons, rules and the vault`,
  ]
}

/** A person's key that is also a key of the servers or of the treasury would be a thief's first find. */
function keyFaults(config: PersonsConfig, persons: readonly Person[]): string[] {
  const signer = signerAccount(config).address.toLowerCase()
  const own = operatorAddresses(config)
  return persons.flatMap((person) => [
    ...(person.id === signer
      ? [`${named(person)} is the account of SIGNER_KEY: a server could sign as this person`]
      : []),
    ...(own.has(person.id) ? [`${named(person)} is an account of the operator that holds money`] : []),
  ])
}

function roleNotes(persons: readonly Person[]): string[] {
  if (persons.every(isOwner)) return ['every person is an owner: no one has less than all rights']
  const others = persons.filter((person) => !isOwner(person))
  const everything = ROLES.filter((role) => role !== 'owner' && role !== 'viewer')
  return others
    .filter(({ roles }) => everything.every((role) => roles.split(',').includes(role)))
    .map((person) => `${named(person)} has every role but owner`)
}

function userNotes(persons: readonly Person[], users: ReadonlySet<string>): string[] {
  return persons
    .filter(({ id }) => users.has(id))
    .map((person) => `${named(person)} is also the account of a user: a person's wallet should sign nothing else`)
}

/** After the first start the database counts: a name in the file alone adds no owner. */
function firstOwnerNotes(config: PersonsConfig, persons: readonly Person[]): string[] {
  const owners = new Set(persons.filter(isOwner).map(({ id }) => id))
  return firstOwners(config)
    .filter(({ id }) => !owners.has(id))
    .map((person) => `firstOwners names ${named(person)}, who is no owner in the database, which counts`)
}

function named({ name, id }: Person): string {
  return `${name} (${id})`
}
