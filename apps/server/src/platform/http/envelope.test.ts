import { CODES } from '@clearwell/api/codes'
import { Refusal } from '@clearwell/ledger/refusal'
import { CommandFailed, NotReady } from '@clearwell/ledger/writer'
import { describe, expect, test } from 'vitest'
import { envelope, errorEnvelope, localeOf } from './envelope.ts'

const TRACE = '0c3f2b1a-0000-4000-8000-000000000000'
const noBug = (error: unknown) => {
  throw new Error('this is no bug', { cause: error })
}

describe('the envelope', () => {
  test('an envelope has the code, status and text of its name', () => {
    expect(envelope('conflict', { a: 1 }, 'en')).toEqual({
      status: 409,
      body: { code: 20010, msg: CODES.conflict.msg.en, data: { a: 1 } },
    })
  })

  test.each([
    ['conflict', 'loan_liquidated', 'This loan was liquidated and is closed. See your loan orders.'],
    ['conflict', 'nothing_to_claim', 'These rewards were already claimed, or have expired.'],
    ['conflict', 'toString', CODES.conflict.msg.en],
    ['not_open', 'clicked', 'You already have today’s box.'],
    ['trading_suspended', 'insolvent', 'Trading suspended'],
  ] as const)('a %s with the reason %s has the closest text', (name, reason, msg) => {
    expect(envelope(name, { reason }, 'en').body.msg).toBe(msg)
  })

  test('every code is unique and has a distinct text in each language', () => {
    for (const { msg } of Object.values(CODES)) {
      expect(msg['zh-HK']).toMatch(/[\u4e00-\u9fff]/)
      expect(msg.en).not.toMatch(/[\u4e00-\u9fff]/)
    }
    expect(new Set(Object.values(CODES).map(({ code }) => code)).size).toBe(Object.keys(CODES).length)
  })
})

describe('a thrown value', () => {
  test('a refusal keeps its data', () => {
    const error = new Refusal('price_moved', { amount_out: '5' })
    expect(errorEnvelope(error, { locale: 'en', traceId: TRACE, onBug: noBug }).body).toMatchObject({
      code: 20007,
      data: { amount_out: '5' },
    })
  })

  test('a ledger that is away is "not ready"', () => {
    expect(
      errorEnvelope(new NotReady('lease lost to 10.0.0.7'), { locale: 'en', traceId: TRACE, onBug: noBug }),
    ).toEqual({
      status: 503,
      body: { code: 50300, msg: CODES.not_ready.msg.en, data: {} },
    })
  })

  test('a statement that reached its time limit is "not ready", and reported', () => {
    const error = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
    const reported: unknown[] = []
    const { status, body } = errorEnvelope(error, {
      locale: 'en',
      traceId: TRACE,
      onBug: (each) => reported.push(each),
    })
    expect({ status, code: body.code }).toEqual({ status: 503, code: 50300 })
    expect(reported).toEqual([error])
  })

  test.each([
    ['an error', new Error('postgres://clearwell:secret@db')],
    ['a failed command', new CommandFailed('command do_swap failed', { cause: new Error('secret') })],
    ['a refusal that no code knows', new Refusal('secret')],
    ['a refusal named like a method', new Refusal('toString')],
    ['text', 'secret'],
    ['nothing', undefined],
  ])('%s is reported with its trace id and kept from the client', (_name, thrown) => {
    const reported: unknown[][] = []
    const { status, body } = errorEnvelope(thrown, {
      locale: 'zh-HK',
      traceId: TRACE,
      onBug: (...report) => reported.push(report),
    })
    expect({ status, body }).toEqual({
      status: 500,
      body: { code: 50000, msg: '發生錯誤', data: { trace_id: TRACE } },
    })
    expect(reported).toEqual([[thrown, TRACE]])
  })
})

test.each([
  [undefined, 'zh-HK'],
  ['', 'zh-HK'],
  ['*', 'zh-HK'],
  ['en', 'en'],
  ['EN-us', 'en'],
  ['zh-HK', 'zh-HK'],
  ['zh-CN,en;q=0.8', 'zh-HK'],
  ['zh', 'zh-HK'],
  ['fr-FR, en-GB;q=0.7, zh;q=0.3', 'en'],
  ['de,ja', 'zh-HK'],
  ['english', 'zh-HK'],
  ['zhuang', 'zh-HK'],
  [',,;=,', 'zh-HK'],
])('Accept-Language %j gets a response in %s', (header, expected) => {
  expect(localeOf(header)).toBe(expected)
})
