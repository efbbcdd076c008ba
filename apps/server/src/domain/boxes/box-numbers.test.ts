import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { type BoxRules, boxRulesText, DEFAULT_BOX_RULES } from '@clearwell/rules/box-rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../../platform/database/open-database.ts'
import { createNumbersOfDay } from './box-numbers.ts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
})
afterAll(() => db.close())

test('a published day keeps its numbers, others follow the rule', async () => {
  let inForce: BoxRules = DEFAULT_BOX_RULES
  const numbersOf = createNumbersOfDay(db, { now: async () => inForce })
  await db.query('insert into box_days (day, rules) values ($1, $2)', ['2026-11-28', boxRulesText(DEFAULT_BOX_RULES)])
  const changed = { ...DEFAULT_BOX_RULES, poolParts: 60 }
  inForce = changed
  expect(await numbersOf('2026-11-29')).toEqual(changed)
  expect(await numbersOf('2026-11-28')).toEqual(DEFAULT_BOX_RULES)
  await db.query('insert into box_days (day, rules) values ($1, $2)', ['2026-11-29', boxRulesText(changed)])
  inForce = DEFAULT_BOX_RULES
  expect(await numbersOf('2026-11-29')).toEqual(changed)
  expect(await numbersOf('2026-11-28')).toEqual(DEFAULT_BOX_RULES)
})
