import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultsOfPortability, MISSING, portabilityTable, readSql } from './portability.ts'

test('our SQL uses only listed parts of PostgreSQL', () => {
  expect(faultsOfPortability(readSql())).toEqual([])
})

test('a new use of a missing part is found outside comments', () => {
  const find = (text: string) => faultsOfPortability(new Map([['a.sql', text]]), withoutUses())
  expect(find('lock table balances in share mode;')).toEqual([
    'a.sql uses `lock table`, which other engines lack: find another way, or name one in scripts/portability.ts',
  ])
  expect(find('select ctid from entries')).toHaveLength(1)
  expect(find("await db.query('listen entries')")).toHaveLength(1)
  expect(find('-- lock table balances\nselect 1')).toEqual([])
})

test('a listed use that is gone is found', () => {
  const uses = { 'b.sql': 'none needed' }
  const missing = withoutUses().map((each) => (each.name === '`lock table`' ? { ...each, uses } : each))
  expect(faultsOfPortability(new Map([['b.sql', 'select 1']]), missing)).toEqual([
    'b.sql uses `lock table` no longer: take it out of scripts/portability.ts',
  ])
})

test('the page of engines has the list', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/reference/engines.md'), 'utf8')
  expect(page).toContain(portabilityTable())
})

function withoutUses() {
  return MISSING.map((each) => ({ ...each, uses: {} }))
}
