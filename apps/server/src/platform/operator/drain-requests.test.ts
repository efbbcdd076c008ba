import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { Writer } from '@clearwell/ledger/writer'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { auditPersons } from './audit-persons.ts'
import { storeFirstOwners } from './change-person.ts'
import { drainRequests } from './drain-requests.ts'
import { type OperatorRequest, operatorPersons } from './operator.tables.ts'
import { defineOperatorAction } from './operator-action.ts'
import { statementOf } from './statement.ts'

const START = new Date('2026-01-01T00:00:00Z')
const VAULT = `0x${'7'.repeat(40)}`
const [ann, ben, eve] = ['1', '2', '3'].map((digit) => privateKeyToAccount(`0x${digit.repeat(64)}`))
const payload = z.strictObject({ isDone: z.boolean() })
/** Stops something: one person. */
const nod = defineOperatorAction({
  kind: 'nod',
  role: 'risk',
  persons: 1,
  payload,
  decide: (_draft, _context, { isDone }) => ({
    ...{ isDone, text: isDone ? 'Nodded.' : 'A rule forbids it.' },
    change: { before: 'still', after: 'nodded' },
  }),
})
/** Names no role and no number. */
const pay = defineOperatorAction({ kind: 'pay', payload, decide: () => ({ isDone: true, text: 'Paid.' }) })

let db: Database
let writer: Writer
let now: Date
let logged: object[]
beforeEach(async () => {
  now = START
  logged = []
  db = await openTestDatabase(MIGRATION_FOLDERS)
  let ids = 0
  writer = await Writer.open({
    ...{ db, clock: { now: () => now }, randomId: () => `id-${ids++}`, holder: 'test', leaseTtlMs: 3_000 },
    ...{ exclusive: true, onError: (error: unknown) => logged.push({ error }) },
  })
  await db.query('insert into watched_vaults (id, vault, since) values ($1, $2, $3)', ['31337', VAULT, START])
  const owners = [ann, ben].map((each, index) => ({ address: each!.address, name: `Owner ${index}` }))
  await writer.execute(storeFirstOwners(owners))
})
afterEach(async () => {
  await writer.close()
  await db.close()
})

const drain = () =>
  drainRequests({
    ...{ db, writer, actions: [nod, pay], clock: { now: () => now }, afterEach: async () => {} },
    logEvent: (event, fields) => logged.push({ event, ...fields }),
  }).drain()

function request(kind: string, more: Partial<OperatorRequest> = {}): OperatorRequest {
  return {
    ...{ id: `request-${kind}`, kind, payload: '{"isDone":true}', reason: 'asked by the owner', asked_at: START },
    ...{ chain_id: '31337', vault: VAULT, expires_at: new Date('2026-01-01T10:00:00Z') },
    ...more,
  }
}

/** Stores a request as it is in the database, signed as it was shown to the signers. */
async function store(stored: OperatorRequest, signers: (typeof ann)[], shown = stored): Promise<void> {
  await db.query(
    `insert into operator_requests (id, kind, payload, reason, asked_at, chain_id, vault, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
    Object.values(stored),
  )
  for (const signer of signers)
    await db.query('insert into operator_signatures values ($1, $2, $3)', [
      stored.id,
      await signer!.signMessage({ message: statementOf(shown) }),
      now,
    ])
}

const outcomes = async () =>
  Object.fromEntries(
    (await db.query<{ id: string; outcome: string | null }>('select id, outcome from operator_requests')).map((row) => [
      row.id,
      row.outcome,
    ]),
  )

test('an action without a role waits for two owners and runs once', async () => {
  await store(request('pay'), [ann])
  await drain()
  await store(request('pay'), [eve])
  await drain()
  expect(await outcomes()).toEqual({ 'request-pay': null })
  await db.query('delete from operator_signatures')
  await store(request('pay'), [ann])
  now = new Date(START.getTime() + 1)
  await store(request('pay'), [ben])
  for (let again = 0; again < 2; again++) await drain()
  const log = await db.query("select person, second_person, role, result from operator_actions where kind = 'pay'")
  const [person, second_person] = [ann, ben].map((each) => each!.address.toLowerCase())
  expect(log).toEqual([{ ...{ person, second_person }, role: 'owner', result: 'Paid.' }])
  expect(logged).toEqual([expect.objectContaining({ event: 'operator_action_done', id: 'request-pay' })])
})

test('a signature counts only for the text that it signed', async () => {
  const changes = {
    payload: { payload: '{"isDone":false}' },
    reason: { reason: 'another' },
    vault: { vault: `0x${'8'.repeat(40)}` },
    chain: { chain_id: '56' },
    expiry: { expires_at: new Date('2026-01-01T11:00:00Z') },
    id: { id: 'request-other' },
  }
  for (const [name, change] of Object.entries(changes))
    await store(request('nod', { id: `changed-${name}` }), [ann], request('nod', { id: `changed-${name}`, ...change }))
  await drain()
  expect(Object.values(await outcomes())).toEqual(Object.keys(changes).map(() => null))
  expect(logged).toEqual([])
})

test('a request without signatures, or of a former person, expires unexecuted', async () => {
  await writer.execute({
    ...{ kind: 'test', owner: 'test', payload: {}, preload: [] },
    decide: () => ({
      rows: [
        {
          table: operatorPersons,
          row: { id: eve!.address.toLowerCase(), name: 'Eve', roles: 'risk', since: START, ended_at: START },
        },
      ],
      response: {},
    }),
  })
  await store(request('nod', { id: 'unsigned' }), [])
  await store(request('nod', { id: 'former' }), [eve])
  await drain()
  expect(await outcomes()).toEqual({ unsigned: null, former: null })
  now = new Date('2026-01-01T10:00:00Z')
  await drain()
  expect(await outcomes()).toEqual({ unsigned: 'expired', former: 'expired' })
})

test('refuses a request for another ledger or for several days', async () => {
  await store(request('nod', { id: 'elsewhere', vault: `0x${'8'.repeat(40)}` }), [ann])
  await store(request('nod', { id: 'longer', expires_at: new Date('2026-01-03T00:00:00Z') }), [ann])
  await drain()
  expect(await outcomes()).toEqual({ elsewhere: 'refused', longer: 'refused' })
})

test('the log has each outcome, and old and new values', async () => {
  await store(request('nod', { id: '1' }), [ann])
  await store(request('nod', { id: '2', payload: '{"isDone":false}' }), [ben])
  await drain()
  const fields = { action: 'nod', reason: 'asked by the owner' }
  expect(logged).toEqual([
    { event: 'operator_action_done', id: '1', ...fields, result: 'Nodded.' },
    { event: 'operator_action_refused', id: '2', ...fields, result: 'A rule forbids it.' },
  ])
  const log = await db.query("select id, role, value_before, value_after from operator_actions where kind = 'nod'")
  expect(log).toEqual([{ id: '1', role: 'risk', value_before: 'still', value_after: 'nodded' }])
})

test('the audit finds a person and a change without valid signatures', async () => {
  await store(request('nod', { id: '1' }), [ann])
  await drain()
  expect(await auditPersons(db, [nod, pay])).toEqual([])
  const eveId = eve!.address.toLowerCase()
  await db.query("insert into operator_persons (id, name, roles, since) values ($1, 'Eve', 'owner', now())", [eveId])
  await store(request('pay', { id: '2' }), [eve])
  await store(request('pay', { id: '2' }), [ann])
  now = new Date(START.getTime() + 1)
  await drain()
  expect(await outcomes()).toEqual({ 1: 'done', 2: 'done' })
  expect(await auditPersons(db, [nod, pay])).toEqual([
    'the action 2 (pay) has 1 valid signatures, and needs 2',
    `Eve (${eveId}) is a person, and no signed action made them one`,
  ])
})
