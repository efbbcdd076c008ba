import { expect, test } from 'vitest'
import { sentences } from './sentences.ts'

test('sentences are joined by the rules of their language', () => {
  expect(sentences('餘額不足', '沒有凍結任何數量。')).toBe('餘額不足。沒有凍結任何數量。')
  expect(sentences('Balance not enough', 'Nothing was locked.')).toBe('Balance not enough. Nothing was locked.')
})
