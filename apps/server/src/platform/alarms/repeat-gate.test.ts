import { expect, test } from 'vitest'
import { createRepeatGate } from './repeat-gate.ts'

test('a repeated key passes once per period, with its repetitions', () => {
  let nowMs = 0
  const gate = createRepeatGate(1_000, () => nowMs)
  expect([gate.pass('a'), gate.pass('a'), gate.pass('b'), gate.pass('a')]).toEqual([0, undefined, 0, undefined])
  nowMs = 1_000
  expect([gate.pass('a'), gate.pass('b'), gate.pass('a')]).toEqual([2, 0, undefined])
})

test('the gate remembers 500 keys and forgets the oldest', () => {
  const gate = createRepeatGate(1_000, () => 0)
  for (let key = 0; key <= 500; key++) gate.pass(String(key))
  expect([gate.pass('500'), gate.pass('1'), gate.pass('0')]).toEqual([undefined, undefined, 0])
})
