import { beforeEach, expect, test } from 'vitest'
import { askOnlyForChanges } from './unchanged-responses.ts'

interface Sent {
  url: string
  tag: string | undefined
}

let sent: Sent[]
let responses: Response[]
let port: Parameters<typeof askOnlyForChanges>[0]
beforeEach(() => {
  sent = []
  responses = []
  port = {
    async send(url, { headers }) {
      sent.push({ url, tag: headers['If-None-Match'] })
      return responses.shift() as Response
    },
  }
  askOnlyForChanges(port)
})

const PAIRS = '/api/SwapPool/pairs'
const init = (body = '', locale = 'en') => ({ method: 'POST', headers: { 'Accept-Language': locale }, body })
const responseWith = (text: string, etag: string) => new Response(text, { headers: { etag } })
const unchanged = () => new Response(null, { status: 304 })
const ask = async (...args: Parameters<typeof port.send>) => (await port.send(...args)).text()

test('a poll sends the last ETag and reuses unchanged data', async () => {
  responses = [responseWith('first', '"1"'), unchanged(), unchanged(), responseWith('second', '"2"'), unchanged()]
  const texts: string[] = []
  for (let poll = 0; poll < 5; poll++) texts.push(await ask(PAIRS, init()))
  expect(texts).toEqual(['first', 'first', 'first', 'second', 'second'])
  expect(sent.map(({ tag }) => tag)).toEqual([undefined, '"1"', '"1"', '"1"', '"2"'])
})

test('unchanged responses are stored per symbol and language', async () => {
  const ticker = '/api/spot/ticker'
  responses = [responseWith('b', '"b"'), responseWith('e', '"e"'), responseWith('z', '"z"'), unchanged()]
  await ask(ticker, init('symbol=BNBUSDT'))
  await ask(ticker, init('symbol=ETHUSDT'))
  await ask(ticker, init('symbol=BNBUSDT', 'zh-HK'))
  expect(await ask(ticker, init('symbol=ETHUSDT'))).toBe('e')
  expect(sent.map(({ tag }) => tag)).toEqual([undefined, undefined, undefined, '"e"'])
})

test('other calls, refusals and responses without an ETag pass unchanged', async () => {
  responses = [
    responseWith('mine', '"1"'),
    new Response('bad', { status: 400, headers: { etag: '"1"' } }),
    new Response('plain'),
  ]
  await ask('/api/Wallet/balances', init())
  expect(await ask(PAIRS, init())).toBe('bad')
  expect(await ask(PAIRS, init())).toBe('plain')
  responses = [responseWith('next', '"2"')]
  await ask(PAIRS, init())
  expect(sent.map(({ tag }) => tag)).toEqual([undefined, undefined, undefined, undefined])
})
