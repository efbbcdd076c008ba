import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { HeaderLine, RowsLine } from './ledger-lines.ts'
import { RowChain } from './row-chain.ts'

const NONE = `0x${'00'.repeat(32)}`
const RULES = `0x${'11'.repeat(32)}`
const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex')
const sha = (...parts: Buffer[]) => `0x${createHash('sha256').update(Buffer.concat(parts)).digest('hex')}`

function lineAfter(previous: string, number: string): RowsLine {
  const rows = [number, '3', '4', `[["loans",{"id":"${number}"}]]`] as const
  return { rows, previous, hash: sha(Buffer.of(0x40), bytes(previous), Buffer.from(JSON.stringify(rows))) }
}

function headerOf(number: string, hash: string, rules?: string) {
  const place = Buffer.from(BigInt(number).toString(16).padStart(16, '0'), 'hex')
  const covered = rules ?? sha(Buffer.of(0x41), bytes(RULES), place, bytes(hash))
  return { header: { assets: [], rules: covered }, lines: { rules: RULES, number, hash } } as unknown as HeaderLine
}

const first = lineAfter(NONE, '1')
const second = lineAfter(first.hash, '2')

function chainOf(...lines: readonly RowsLine[]): RowChain {
  const chain = new RowChain()
  for (const line of lines) chain.take(line)
  return chain
}

test('a header may cover any line since the header before', () => {
  const chain = chainOf(first, second)
  expect(chain.faultOf(headerOf('1', first.hash))).toBeUndefined()
  expect(chain.faultOf(headerOf('2', second.hash))).toBeUndefined()
  expect(chain.faultOf(headerOf('2', second.hash))).toBeUndefined()
  expect(chain.faultOf(headerOf('1', first.hash))).toBe('the header covers another line 1 of rows')
})

test('a header that covers another line is refused', () => {
  const chain = chainOf(first)
  const other = lineAfter(NONE, '1').hash.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
  expect(chain.faultOf(headerOf('1', other))).toBe('the header covers another line 1 of rows')
  expect(chain.faultOf(headerOf('2', second.hash))).toBe('the header covers another line 2 of rows')
  expect(chain.faultOf(headerOf('1', first.hash, RULES))).toMatch(/^the hash of the rules does not cover/)
})

test('a header before the lines, or of deleted ones, is not judged', () => {
  const { header } = headerOf('1', first.hash)
  expect(chainOf(first).faultOf({ header } as unknown as HeaderLine)).toBeUndefined()
  expect(chainOf(second).faultOf(headerOf('1', first.hash))).toBeUndefined()
})

test('a changed line, or one that does not follow, is a fault', () => {
  expect(() => chainOf({ ...first, rows: ['1', '3', '5', first.rows[3]] })).toThrow('line 1 of rows has another hash')
  expect(() => chainOf(first, lineAfter(NONE, '2'))).toThrow('line 2 of rows does not follow the one before')
})
