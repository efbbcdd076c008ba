import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { expect, onTestFinished, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { collectBackups } from './backup-metrics.ts'
import { createMetrics } from './metrics.ts'

test('the ages of backup and restore are absent until recorded', async () => {
  const db = await openTestDatabase(MIGRATION_FOLDERS)
  onTestFinished(() => db.close())
  const metrics = createMetrics()
  let isLeader = true
  collectBackups(metrics, { db, isLeader: () => isLeader })
  const ages = async () =>
    [...(await metrics.text()).matchAll(/^clearwell_(backup|restore|archive)_age_seconds (\d+)/gm)].map(
      ([, name, age]) => [name, Math.round(Number(age) / 60)],
    )
  expect(await ages()).toEqual([])
  const record = (kind: string, ago: string) =>
    db.query('insert into backups values ($1, clock_timestamp() - $2::interval, $1)', [kind, ago])
  await record('backup', '30 minutes')
  expect(await ages()).toEqual([['backup', 30]])
  await record('restore', '2 days')
  expect(await ages()).toEqual([
    ['backup', 30],
    ['restore', 2880],
  ])
  isLeader = false
  expect(await ages()).toEqual([])
})
