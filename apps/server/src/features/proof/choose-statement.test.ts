import { expect, test } from 'vitest'
import { type BookAnswer, chooseStatement, TURN_MS } from './choose-statement.ts'

const first = { signature: '0x01' } as const
const second = { signature: '0x02' } as const
const refusal = { refusal: { reason: 'entry 5 takes too much', signature: '0x03' } } as const
const later = { later: 'the node is behind' }
const away = { away: 'connection refused' }

test.each<[about: string, answers: BookAnswer[], waitedMs: number, expected: unknown]>([
  ['no bookkeeper', [], 0, 'none'],
  ['the only one signs', [first], 0, first],
  ['the only one is away', [away], TURN_MS, 'none'],
  ['the only one has not judged', [later], TURN_MS, 'none'],
  ['both sign: the first counts', [first, second], 0, first],
  ['the first is away', [away, second], 0, second],
  ['the first has not judged, within its time', [later, second], TURN_MS - 1, 'none'],
  ['the first has not judged, after its time', [later, second], TURN_MS, second],
  ['the first signs, the second is away', [first, away], 0, first],
  ['the first refuses, the second signs', [refusal, second], TURN_MS, refusal],
  ['the first signs, the second refuses', [first, refusal], TURN_MS, refusal],
  ['the first is away, the second refuses', [away, refusal], 0, refusal],
  ['both are away', [away, away], TURN_MS, 'none'],
])('chooses the statement: %s', (_about, answers, waitedMs, expected) => {
  expect(chooseStatement(answers, waitedMs)).toEqual(expected)
})
