import { expect, test } from 'vitest'
import { timeLeft } from './time-left.ts'

const DEADLINE_MS = 1_800_000_900_000
const device = (secondsBefore: number) => DEADLINE_MS - secondsBefore * 1_000
const chain = (secondsBefore: number, readMs: number) => ({ seconds: DEADLINE_MS / 1_000 - secondsBefore, readMs })

test.each([
  ['without the chain, by the device', device(600), undefined, { seconds: 600, isOver: false }],
  ['without the chain, past by the device', device(-1), undefined, { seconds: 0, isOver: true }],
  ['the chain ahead of the device', device(600), chain(300, device(600)), { seconds: 300, isOver: false }],
  ['an idle chain behind', device(600), chain(900, device(600)), { seconds: 600, isOver: false }],
  ['the chain read a minute ago', device(600), chain(400, device(660)), { seconds: 340, isOver: false }],
  [
    'the device’s clock far ahead: the chain decides',
    device(-3_600),
    chain(60, device(-3_600)),
    { seconds: 0, isOver: false },
  ],
  ['in its last second it is not over', device(600), chain(0, device(600)), { seconds: 0, isOver: false }],
  ['past on the chain', device(600), chain(-1, device(600)), { seconds: 0, isOver: true }],
])('%s', (_name, nowMs, at, left) => {
  expect(timeLeft(DEADLINE_MS, { nowMs, chain: at })).toEqual(left)
})
