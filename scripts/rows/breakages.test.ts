import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { breakSource } from './break-source.ts'
import { readBreakages, readRows } from './read-breakages.ts'

const root = join(import.meta.dirname, '../..')
const breakages = await readBreakages(root)

test.each(breakages)('the breakage of §$row fits $file: $edit.about', (breakage) => {
  const whole = readFileSync(join(root, breakage.file), 'utf8')
  expect(breakSource(breakage, whole)).not.toBe(whole)
})

test('each row has a breakage or a reason for none', async () => {
  const { rows, withoutBreakage } = await readRows(root)
  const broken = breakages.map(({ row }) => row)
  expect(rows.filter((row) => !broken.includes(row))).toEqual(withoutBreakage)
})
