import { expect, test } from 'vitest'
import { LeafLog } from './leaf-log.ts'

const leaf = (byte: number) => ({ hash: Buffer.alloc(32, byte), sum: BigInt(byte) })
const record = (place: number, byte: number) => ({ asset: 0, place, ...leaf(byte) })

test('the log has each changed leaf as it is', () => {
  const log = new LeafLog()
  expect(log.add([record(3, 1)], new Set(['0 3']), () => leaf(1))).toBeUndefined()
  // A record of a leaf that did not change is allowed.
  expect(log.add([record(3, 1)], new Set(), () => leaf(1))).toBeUndefined()
})

test('a leaf that the log lacks is found until it arrives', () => {
  const log = new LeafLog()
  expect(log.add([], new Set(['0 3']), () => leaf(1))).toBe('the proof data lack the leaf at place 3')
  expect(log.add([], new Set(), () => leaf(1))).toBe('the proof data lack the leaf at place 3')
  expect(log.add([record(3, 1)], new Set(), () => leaf(1))).toBeUndefined()
})

test('another leaf in the log is found until both are alike', () => {
  const log = new LeafLog()
  expect(log.add([record(3, 2)], new Set(), () => leaf(1))).toBe('the proof data have another leaf at place 3')
  expect(log.add([], new Set(['0 3']), () => leaf(2))).toBeUndefined()
})
