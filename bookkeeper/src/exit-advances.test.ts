import { expect, test } from 'vitest'
import { ExitAdvances } from './exit-advances.ts'
import type { EntryFields } from './ledger-lines.ts'

const [ALICE, BOB] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`]
const entry = (kind: string, owner: string, units: string): EntryFields => [
  '7',
  kind,
  '2026-11-29T00:00:00.000Z',
  'an exit',
  [
    [`user:${owner}:available`, 'USDT', units],
    ['insurance', 'USDT', `${-BigInt(units)}`],
  ],
]

test('an advance is taken back from those alone that got one', () => {
  const advances = new ExitAdvances()
  expect(advances.take(entry('exit_advance_return', BOB, '-5'))).toBe(
    `entry 7 (exit_advance_return) takes back from ${BOB}, which got no advance`,
  )
  expect(advances.take(entry('exit_advance', ALICE, '5'))).toBeUndefined()
  expect(advances.take(entry('exit_advance_return', ALICE, '-5'))).toBeUndefined()
  expect(advances.take(entry('exit_advance_return', BOB, '-5'))).toMatch(/got no advance$/)
})
