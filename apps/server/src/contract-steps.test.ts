import { compareVersions, neededVersion, readMigrations } from '@clearwell/ledger/migrate'
import { expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from './platform/database/open-database.ts'
import { VERSION } from './platform/process/version.ts'
import { findContractSteps } from './testing/contract-steps.ts'

/** The last migration before 0.2.0, the first version that servers of another version share a database with. */
const LAST_FREE = '0037_operator_persons.sql'

test('a migration that takes something away names the version it needs', async () => {
  const bound = (await readMigrations(MIGRATION_FOLDERS)).filter(({ name }) => name > LAST_FREE)
  expect(bound.length).toBeGreaterThan(0)
  const unmarked = bound.flatMap(({ name, sql }) =>
    neededVersion(sql) === null ? findContractSteps(sql).map((step) => `${name} ${step}`) : [],
  )
  expect(unmarked).toEqual([])
})

test('a contract needs no version that is not released yet', async () => {
  const needed = (await readMigrations(MIGRATION_FOLDERS)).flatMap(({ sql }) => neededVersion(sql) ?? [])
  expect(needed.filter((version) => compareVersions(version, VERSION) > 0)).toEqual([])
})

test.each([
  ['drop table old_things;', 'drops a table, column, view, function or type'],
  ['alter table users\n  drop column nickname;', 'drops a table, column, view, function or type'],
  ['alter table users rename nickname to name;', 'renames something'],
  ['alter table users rename to people;', 'renames something'],
  ['alter table users alter column id type bigint;', 'changes the type of a column'],
  ['alter table users alter column id drop default;', 'drops a default'],
  ['alter table users alter column name set not null;', 'refuses rows without a value'],
  [
    "alter table users add column a text default '', add column name text not null;",
    'adds a column that needs a value',
  ],
  ['alter table users add constraint few check (id < 9);', 'refuses rows by a new constraint'],
  ['create unique index one_name on users (name);', 'refuses rows by a new unique index'],
  ['truncate users;', 'deletes rows'],
  ['delete from users;', 'deletes rows'],
])('finds the contract step of %s', (sql, step) => {
  expect(findContractSteps(sql)).toEqual([step])
})

test.each([
  'create table things (id text primary key, name text not null);\ncreate unique index one_name on things (name);',
  'create table things (id text);\nalter table things add constraint few check (id > 1);',
  "alter table users add column name text not null default '', add column age integer;",
  'alter table users drop constraint few;',
  'create trigger kept before truncate on users for each statement execute function refuse_change();',
  '-- drop table users\ncreate index users_by_name on users (name);',
  "create function f() returns void language plpgsql as $$ begin execute 'drop table x'; end $$;",
])('finds no contract step in %s', (sql) => {
  expect(findContractSteps(sql)).toEqual([])
})
