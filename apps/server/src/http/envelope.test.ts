import { CODES, type CodeName } from '@clearwell/api/codes'
import { Refusal } from '@clearwell/ledger/refusal'
import { CommandFailed, NotReady } from '@clearwell/ledger/writer'
import { describe, expect, test } from 'vitest'
import { envelope, errorEnvelope, localeOf } from './envelope.ts'

const noBug = (error: unknown) => {
  throw new Error('this is no bug', { cause: error })
}

describe('the envelope', () => {
  // Source: the table of codes in design/api.md.
  test.each<[CodeName, number, number, string]>([
    ['ok', 1, 200, 'ok'],
    ['sign_in_again', 10001, 200, 'Please sign in again'],
    ['invalid_input', 20000, 400, 'Invalid input'],
    ['balance_not_enough', 20001, 200, 'Balance not enough'],
    ['rt_balance_not_enough', 20002, 200, 'RT balance is insufficient'],
    ['not_activated', 20003, 200, 'Please activate your account before operation'],
    ['exceeds_lending_pool', 20004, 200, 'Exceeds the maximum available balance in the lending pool'],
    ['trading_suspended', 20005, 200, 'Trading suspended'],
    ['amount_out_of_range', 20006, 200, 'The amount is under the minimum or over the maximum'],
    ['price_moved', 20007, 200, 'The price moved beyond your limit'],
    ['not_open', 20008, 200, 'Not open now'],
    ['not_found', 20009, 404, 'Not found'],
    ['conflict', 20010, 409, 'Already done, or in conflict with an earlier request'],
    ['price_out_of_date', 20011, 200, 'The price is out of date'],
    ['signature_failed', 20012, 200, 'signature failed'],
    ['invalid_account', 20013, 200, 'Invalid account'],
    ['too_many_requests', 42900, 429, 'Too many requests'],
    ['something_went_wrong', 50000, 500, 'Something went wrong'],
    ['not_ready', 50300, 503, 'The service is not ready, please try again shortly'],
  ])('of %s is %d with status %d', (name, code, status, msg) => {
    expect(envelope(name, { a: 1 }, 'en')).toEqual({ status, body: { code, msg, data: { a: 1 } } })
  })

  test('has a text of its own in each language for every code, and no code twice', () => {
    for (const { msg } of Object.values(CODES)) {
      expect(msg['zh-HK']).toMatch(/[\u4e00-\u9fff]/)
      expect(msg.en).not.toMatch(/[\u4e00-\u9fff]/)
    }
    expect(new Set(Object.values(CODES).map(({ code }) => code)).size).toBe(Object.keys(CODES).length)
  })
})

describe('what was thrown', () => {
  test('a refusal keeps its data', () => {
    const error = new Refusal('price_moved', { amount_out: '5' })
    expect(errorEnvelope(error, 'en', noBug).body).toMatchObject({ code: 20007, data: { amount_out: '5' } })
  })

  test('a ledger that is away is "not ready"', () => {
    expect(errorEnvelope(new NotReady('lease lost to 10.0.0.7'), 'en', noBug)).toEqual({
      status: 503,
      body: { code: 50300, msg: CODES.not_ready.msg.en, data: {} },
    })
  })

  test.each([
    ['an error', new Error('postgres://clearwell:secret@db')],
    ['a failed command', new CommandFailed('command do_swap failed', { cause: new Error('secret') })],
    ['a refusal that no code knows', new Refusal('secret')],
    ['a refusal named like a method', new Refusal('toString')],
    ['text', 'secret'],
    ['nothing', undefined],
  ])('%s is a bug: reported with its trace id, and nothing of it is told', (_name, thrown) => {
    const reported: unknown[][] = []
    const { status, body } = errorEnvelope(thrown, 'zh-HK', (...report) => reported.push(report))
    const { trace_id: traceId } = body.data as { trace_id: string }
    expect({ status, body }).toEqual({
      status: 500,
      body: { code: 50000, msg: '發生錯誤', data: { trace_id: traceId } },
    })
    expect(traceId).toMatch(/^[0-9a-f-]{36}$/)
    expect(reported).toEqual([[thrown, traceId]])
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
])('Accept-Language %j is answered in %s', (header, expected) => {
  expect(localeOf(header)).toBe(expected)
})
