import { beforeEach, expect, test } from 'vitest'
import { createEventParser } from './event-parser.ts'

let reported: unknown[]
let parse: (piece: string) => void
beforeEach(() => {
  reported = []
  parse = createEventParser({
    onEvent: ({ event, data }) => reported.push([event, data]),
    onId: (id) => reported.push({ id }),
    onRetry: (retryMs) => reported.push({ retryMs }),
  })
})

const STREAM = 'retry: 2500\n\n:\n\nid: 12\nevent: entry\ndata: {"a":1}\n\nevent: pairs\ndata: []\n\n'
const REPORTED = [{ retryMs: 2500 }, ['entry', '{"a":1}'], { id: '12' }, ['pairs', '[]']]

test.each([1, 2, 3, 7, 1000])('the parser reads events from pieces of %i characters', (size) => {
  for (let at = 0; at < STREAM.length; at += size) parse(STREAM.slice(at, at + size))
  expect(reported).toEqual(REPORTED)
})

test.each([['\r\n'], ['\r']])('the parser accepts lines that end with %j', (end) => {
  for (const character of `${STREAM}:`.replaceAll('\n', end)) parse(character)
  expect(reported).toEqual(REPORTED)
})

test('the parser reports an event only once it is complete', () => {
  parse('event: pairs\ndata: [1')
  parse(']\n')
  expect(reported).toEqual([])
  parse('\n')
  expect(reported).toEqual([['pairs', '[1]']])
})

test('the parser joins data lines, resets names and ignores unknown fields', () => {
  parse('event: x\ndata: a\ndata:b\ndata\nunknown: y\nretry: soon\nid: a\0b\n\ndata: z\n\nevent: nothing\n\n')
  expect(reported).toEqual([
    ['x', 'a\nb\n'],
    ['message', 'z'],
  ])
})

test('the parser reports an id after its event or alone', () => {
  parse('id: 1\ndata: x\n\nid: 2\n\nid\n\n')
  expect(reported).toEqual([['message', 'x'], { id: '1' }, { id: '2' }, { id: '' }])
})

test('the parser gives up an endless event', () => {
  parse('data: ')
  expect(() => {
    for (let piece = 0; piece < 11; piece++) parse('x'.repeat(100_000))
  }).toThrow('an event without end')
})
