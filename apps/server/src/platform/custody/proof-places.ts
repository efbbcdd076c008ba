import { hash } from 'node:crypto'
import {
  type Context,
  type PlanCompletion,
  type RowWrite,
  type State,
  type StateKey,
  write,
} from '@clearwell/ledger/command'
import { column, defineWriterTable, forever } from '@clearwell/ledger/table'
import { ALL_ACCOUNTS, vaultCounters } from './vault-counters.ts'

/** Random places that are tried together. */
const TRIED_TOGETHER = 8
/** With 99 % of all places taken, one of so many is free in all but 2 of a million cases. */
const MAX_TRIED = 1_304

/** The place and the salt of each account, which it keeps for ever: an old proof must stay valid. */
export const proofAccounts = defineWriterTable(
  'proof_accounts',
  forever('an account keeps its place and its salt in the trees of balances'),
  {
    /** In lower case. */
    id: column.user('implied'),
    place: column.integer,
    /** 32 bytes in hex, with 0x. */
    salt: column.text,
    /** Grows with each account whose place or counters change, so that those since a header are found. */
    change: column.bigint,
  },
)

/** The row's id is the place. */
export const proofPlaces = defineWriterTable(
  'proof_places',
  forever('a place is never used again'),
  { id: column.text, account: column.user('implied') },
  { rowsAreFinal: true },
)

export const proofChanges = defineWriterTable('proof_changes', forever('one row'), {
  id: column.text,
  last: column.bigint,
})
const LAST = 'last'

/**
 * Gives each account a place and a salt in the command that first books something of it, so that a header that contains its money
 * has its leaf too. The operator's own address gets none: its money is not a user's.
 *
 * Place and salt derive from the ids of the command and this server's secret, which is random: they are the same when it is decided again.
 */
export function givePlaces({
  operator,
  known: knownPlace = () => undefined,
}: {
  readonly operator: string
  /** Returns the place that an account had before, in a ledger that is restored. */
  readonly known?: (account: string) => { readonly place: number; readonly salt: string } | undefined
}): PlanCompletion {
  return {
    keysOf: ({ preload }) => keysOf(preload, operator),
    rowsFor({ entries = [], rows = [] }, state, context) {
      const held = new Set<string>()
      const counted = new Set<string>()
      for (const { postings } of entries) for (const { account } of postings) addOwner(held, account)
      for (const { table, row } of rows) {
        if (table !== vaultCounters) continue
        const { account } = row as unknown as { account: string }
        if (account !== ALL_ACCOUNTS) counted.add(account)
      }
      const added: RowWrite[] = []
      const taken = new Set<string>()
      let last: bigint | undefined
      for (const id of new Set([...held, ...counted])) {
        if (id === operator) continue
        const known = state.row(proofAccounts, id)
        if (known && !counted.has(id)) continue
        last = (last ?? state.row(proofChanges, LAST)?.last ?? 0n) + 1n
        const row = known ?? { id, ...(knownPlace(id) ?? newPlace(state, context, id, taken)) }
        added.push(write(proofAccounts, { ...row, change: last }))
        if (!known) added.push(write(proofPlaces, { id: `${row.place}`, account: id }))
      }
      if (last !== undefined) added.push(write(proofChanges, { id: LAST, last }))
      return added
    },
  }
}

const PREFIX = 'user:'

/** Adds the owner of a user's account. */
function addOwner(owners: Set<string>, account: string): void {
  if (account.startsWith(PREFIX)) owners.add(account.slice(PREFIX.length, account.lastIndexOf(':')))
}

function keysOf(preload: readonly StateKey[], operator: string): StateKey[] {
  const owners = new Set<string>()
  for (const key of preload) if ('account' in key) addOwner(owners, key.account)
  owners.delete(operator)
  return Array.from(owners, (id) => ({ table: proofAccounts, id }))
}

/** Draws a free place and a salt. @throws Error if the trees are full. */
function newPlace(state: State, context: Context, account: string, taken: Set<string>) {
  const random = (label: string) =>
    hash('sha256', `${context.id(`${label}:${account}`)}${context.id(`${label}+:${account}`)}`)
  for (let tried = 0; tried < MAX_TRIED; tried += TRIED_TOGETHER) {
    const places = Array.from({ length: TRIED_TOGETHER }, (_, index) => placeOf(random(`place ${tried + index}`)))
    const rows = state.rows(proofPlaces, places)
    const place = places.find((each, index) => rows[index] === undefined && !taken.has(each))
    if (place === undefined) continue
    taken.add(place)
    return { place: Number(place), salt: `0x${random('salt')}` }
  }
  throw new Error('the trees of balances have no free place')
}

/** The first 20 bits of a hash in hex: a place in a tree of depth 20. */
function placeOf(hex: string): string {
  return `${Number.parseInt(hex.slice(0, 5), 16)}`
}
