import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { Config } from '../load-config.ts'
import { judgePersons } from './check-persons.ts'

const SIGNER_KEY = `0x${'7'.repeat(64)}` as const
const SIGNER = privateKeyToAccount(SIGNER_KEY).address
const [ANN, BEN, KIT, TREASURY] = ['a', 'b', 'c', 'd'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
  string,
]
const NAMED = [ANN, BEN].map((address) => ({ address, name: address.slice(0, 3) }))

const config = (firstOwners = NAMED) =>
  ({
    env: { signerKey: SIGNER_KEY },
    firstOwners,
    operatorAccounts: [],
    chain: { operator: TREASURY },
  }) as unknown as Config
const person = (id: string, roles = 'owner', ended_at: Date | null = null) => ({
  id,
  name: id.slice(0, 3),
  roles,
  ended_at,
})
const judge = (persons: ReturnType<typeof person>[], users: string[] = [], firstOwners = NAMED) =>
  judgePersons(config(firstOwners), { persons, users: new Set(users) })

test('two owners and a person of support are sound', () => {
  expect(judge([person(ANN), person(BEN), person(KIT, 'support')])).toEqual({ faults: [], notes: [] })
})

test('a ledger without persons needs first owners in the configuration', () => {
  expect(judge([])).toEqual({ faults: [], notes: [] })
  expect(judge([], [], []).faults).toEqual([
    expect.stringMatching(/^the ledger has no owner, and firstOwners names none: /),
  ])
})

test.each([
  ['one owner', [person(ANN), person(KIT, 'support')], /^the ledger has one owner: two sign /],
  ['former owners', [person(ANN, 'owner', new Date(0)), person(KIT, 'risk')], /^the ledger has no owner: /],
  [
    'the key of the server',
    [person(ANN), person(BEN), person(SIGNER.toLowerCase(), 'risk')],
    / is the account of SIGNER_KEY: /,
  ],
  [
    'the treasury',
    [person(ANN), person(BEN), person(TREASURY, 'risk')],
    / is an account of the operator that holds money$/,
  ],
])('%s among the persons is a fault', (_what, persons, fault) => {
  expect(judge(persons).faults).toEqual([expect.stringMatching(fault)])
})

test('notes name every right, users, and owners of the file alone', () => {
  expect(judge([person(ANN), person(BEN)]).notes).toEqual(['every person is an owner: no one has less than all rights'])
  expect(judge([person(ANN), person(KIT), person(BEN, 'support,risk,treasurer')], [KIT]).notes).toEqual([
    `0xb (${BEN}) has every role but owner`,
    `0xc (${KIT}) is also the account of a user: a person's wallet should sign nothing else`,
    `firstOwners names 0xb (${BEN}), who is no owner in the database, which counts`,
  ])
})
