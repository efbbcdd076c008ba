import { CODES, type CodeName, LOCALES } from '@clearwell/api/codes'
import { Refusal } from '@clearwell/ledger/refusal'
import { NotReady } from '@clearwell/ledger/writer'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from './create-app.ts'

/** The handler of the tested call. */
let handle: () => unknown
let bugs: unknown[]
const app = await createApp({
  handlers: { activeByBalance: () => handle() },
  findSession: async (token) => (token === 'good' ? { id: '0xabc', parentId: null, tokenHash: 'hash' } : undefined),
  failingParts: () => [],
  onBug: (error) => bugs.push(error),
  requestsPerMinute: 1_000,
  webFolder: undefined,
  connectOrigins: [],
  productName: 'Clearwell',
})
beforeAll(() => app.ready())
afterAll(() => app.close())

const CALL: InjectOptions = {
  method: 'POST',
  url: '/api/SwapPool/activeByBalance',
  headers: { 'xx-token': 'good', 'content-type': 'application/x-www-form-urlencoded' },
}

interface Row {
  readonly name: CodeName
  readonly http: number
  readonly en: string
  readonly zh: string
  /** How a client meets it. Without it: the handler refuses. */
  readonly when?: () => { request?: InjectOptions; handle?: () => unknown }
  /** The content of `data`. */
  readonly data?: unknown
}

/**
 * One row for each code of design/api.md, with its status and, word for word, the texts that the specification and
 * design/words.md fix. Five of its entries say when, not what (`amount under the minimum or over the maximum`, `not open
 * now`, `not found`, `conflict`, `not ready`): they are sentences here, since people read them.
 */
const ROWS: Readonly<Record<number, Row>> = {
  1: {
    name: 'ok',
    http: 200,
    en: 'ok',
    zh: '成功',
    when: () => ({ handle: () => ({ status: 2 }) }),
    data: { status: 2 },
  },
  10001: {
    name: 'sign_in_again',
    http: 200,
    en: 'Please sign in again',
    zh: '請重新登入',
    when: () => ({ request: { headers: { 'xx-token': 'revoked' } } }),
  },
  20000: {
    name: 'invalid_input',
    http: 400,
    en: 'Invalid input',
    zh: '輸入無效',
    when: () => ({ request: { payload: 'a[b][c][d][e]=1' } }),
    data: { fields: { body: 'too deep or too long' } },
  },
  20001: { name: 'balance_not_enough', http: 200, en: 'Balance not enough', zh: '餘額不足' },
  20002: { name: 'rt_balance_not_enough', http: 200, en: 'RT balance is insufficient', zh: 'RT 餘額不足' },
  20003: {
    name: 'not_activated',
    http: 200,
    en: 'Please activate your account before operation',
    zh: '請先啟用帳戶再操作',
  },
  20004: {
    name: 'exceeds_lending_pool',
    http: 200,
    en: 'Exceeds the maximum available balance in the lending pool',
    zh: '超出借貸池的最高可借數量',
    data: { max: '12.5' },
  },
  20005: {
    name: 'trading_suspended',
    http: 200,
    en: 'Trading suspended',
    zh: '交易已暫停',
    data: { reason: 'insolvent' },
  },
  20006: {
    name: 'amount_out_of_range',
    http: 200,
    en: 'The amount is below the minimum or above the maximum',
    zh: '數量低於下限或高於上限',
    data: { min: '10', max: '1000' },
  },
  20007: {
    name: 'price_moved',
    http: 200,
    en: 'The price moved beyond your limit',
    zh: '價格變動超出你設定的限度',
    data: { amount_out: '5' },
  },
  20008: {
    name: 'not_open',
    http: 200,
    en: 'Not open now',
    zh: '現時未開放',
    data: { opens_at: '2026-11-22T01:00:00.000Z' },
  },
  20009: {
    name: 'not_found',
    http: 404,
    en: 'We couldn’t find this. It may have been removed.',
    zh: '找不到資料，可能已被移除。',
  },
  20010: {
    name: 'conflict',
    http: 409,
    en: 'This can’t be done any more. Reload to see the current state.',
    zh: '此操作現時無法進行，請重新載入以查看最新狀況。',
    data: { max: 5 },
  },
  20011: { name: 'price_out_of_date', http: 200, en: 'The price is out of date', zh: '價格已過時' },
  20012: { name: 'signature_failed', http: 200, en: 'signature failed', zh: '簽署失敗，請再試一次' },
  20013: { name: 'invalid_account', http: 200, en: 'Invalid account', zh: '帳戶無效' },
  20014: {
    name: 'rt_deposit_missing',
    http: 200,
    en: 'Deposit more RT first',
    zh: '請先存入更多 RT',
    data: { missing: '100' },
  },
  20015: {
    name: 'too_many_open',
    http: 200,
    en: 'You have as many open as one account can have. Close one first.',
    zh: '未完結的項目已達上限，請先結束其中一項。',
    data: { max: 200 },
  },
  20016: { name: 'account_is_leaving', http: 200, en: 'This account is leaving', zh: '此帳戶正在自主退出' },
  20017: {
    name: 'not_available',
    http: 200,
    en: 'Your account is frozen. You can still repay, add collateral, transfer in and cancel plans. Contact the operator.',
    zh: '你的帳戶已被凍結，仍可還款、追加抵押品、轉入及取消計劃閃兌。如有疑問，請聯絡營運方。',
    data: { reason: 'frozen' },
  },
  20020: { name: 'uid_not_linked', http: 200, en: 'Link your external UID first', zh: '請先連結外部 UID' },
  42900: {
    name: 'too_many_requests',
    http: 429,
    en: 'Too many requests. Wait a moment and try again.',
    zh: '要求過於頻密，請稍後再試。',
  },
  50000: {
    name: 'something_went_wrong',
    http: 500,
    en: 'Something went wrong',
    zh: '發生錯誤',
    when: () => ({
      handle: () => {
        throw new TypeError('secret')
      },
    }),
    data: { trace_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  },
  50300: {
    name: 'not_ready',
    http: 503,
    en: 'The service is not ready, please try again shortly',
    zh: '服務暫未就緒，請稍後再試',
    when: () => ({
      handle: () => {
        throw new NotReady('the database is away', { cause: new Error('secret') })
      },
    }),
  },
}

test('the catalogue contains every code once', () => {
  expect(Object.values(CODES).map(({ code }) => code)).toEqual(Object.keys(ROWS).map(Number))
})

describe.each(LOCALES)('in %s', (locale) => {
  test.each(Object.entries(ROWS))('%d arrives with its status, its text and its data', async (code, row) => {
    bugs = []
    const refuse = () => {
      throw new Refusal(row.name, (row.data ?? {}) as Record<string, unknown>)
    }
    const { request = {}, handle: does = refuse } = row.when?.() ?? {}
    handle = does
    const headers = { ...CALL.headers, ...request.headers, 'accept-language': locale }
    const reply = await app.inject({ ...CALL, ...request, headers })
    expect(reply.statusCode).toBe(row.http)
    expect(reply.json()).toEqual({
      code: Number(code),
      msg: locale === 'en' ? row.en : row.zh,
      data: row.data ?? {},
    })
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
    expect(reply.body).not.toContain('secret')
    expect(bugs).toHaveLength(row.name === 'something_went_wrong' ? 1 : 0)
  })
})
