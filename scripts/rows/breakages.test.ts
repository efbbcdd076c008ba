import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROWS } from '../../e2e/conformance/rows.ts'
import { WITHOUT_BREAKAGE } from '../../e2e/conformance/without-breakage.ts'
import { breakSource } from './break-source.ts'
import { readBreakages } from './read-breakages.ts'

const root = join(import.meta.dirname, '../..')
const breakages = await readBreakages(root)

test.each(breakages)('the breakage of §$row fits $file: $edit.about', (breakage) => {
  const whole = readFileSync(join(root, breakage.file), 'utf8')
  expect(breakSource(breakage, whole)).not.toBe(whole)
})

test('each row has a breakage or a reason for none', () => {
  const broken = breakages.map(({ row }) => row)
  const missing = ROWS.map(({ id }) => id).filter((id) => !broken.includes(id))
  expect(missing).toEqual(Object.keys(WITHOUT_BREAKAGE))
})
