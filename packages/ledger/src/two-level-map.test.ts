import { expect, test } from 'vitest'
import { TwoLevelMap } from './two-level-map.ts'

function filled(): TwoLevelMap<string, string, number> {
  const map = new TwoLevelMap<string, string, number>()
  map.set('USDT', 'ann', 1)
  map.set('USDT', 'ben', 2)
  map.set('BNB', 'ann', 3)
  return map
}

test('values are found under both of their keys', () => {
  const map = filled()
  expect([map.get('USDT', 'ann'), map.get('USDT', 'ben'), map.get('BNB', 'ann')]).toEqual([1, 2, 3])
  expect([map.get('BNB', 'ben'), map.get('ETH', 'ann')]).toEqual([undefined, undefined])
  expect(map.size).toBe(3)
})

test('a value that is set again replaces the one before', () => {
  const map = filled()
  map.set('USDT', 'ann', 9)
  expect([map.get('USDT', 'ann'), map.size]).toEqual([9, 3])
})

test('deleting counts only values that are there', () => {
  const map = filled()
  map.delete('USDT', 'carol')
  map.delete('ETH', 'ann')
  expect(map.size).toBe(3)
  map.delete('USDT', 'ann')
  expect([map.get('USDT', 'ann'), map.get('USDT', 'ben'), map.size]).toEqual([undefined, 2, 2])
})

test('a cleared map is empty and usable', () => {
  const map = filled()
  map.clear()
  expect([map.size, map.get('USDT', 'ann'), [...map.byFirst()]]).toEqual([0, undefined, []])
  map.set('USDT', 'ann', 4)
  expect(map.size).toBe(1)
})

test('every value is visited with both keys', () => {
  const visited: unknown[] = []
  filled().forEach((value, first, second) => {
    visited.push([first, second, value])
  })
  expect(visited).toEqual([
    ['USDT', 'ann', 1],
    ['USDT', 'ben', 2],
    ['BNB', 'ann', 3],
  ])
  expect([...filled().byFirst()].map(([first, values]) => [first, values.size])).toEqual([
    ['USDT', 2],
    ['BNB', 1],
  ])
})
