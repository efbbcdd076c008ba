/** The languages of the interface, the first being the default (specification §9). */
export const LOCALES = ['zh-HK', 'en'] as const
export type Locale = (typeof LOCALES)[number]

interface Code {
  /** The number in the envelope. */
  readonly code: number
  /** The HTTP status that carries it. */
  readonly http: number
  readonly msg: Readonly<Record<Locale, string>>
}

/**
 * Every code an envelope can carry, under the name that the code base uses for it.
 * The English texts quoted in the specification are exact.
 */
export const CODES = {
  ok: { code: 1, http: 200, msg: { en: 'ok', 'zh-HK': '成功' } },
  sign_in_again: { code: 10001, http: 200, msg: { en: 'Please sign in again', 'zh-HK': '請重新登入' } },
  invalid_input: { code: 20000, http: 400, msg: { en: 'Invalid input', 'zh-HK': '輸入無效' } },
  balance_not_enough: { code: 20001, http: 200, msg: { en: 'Balance not enough', 'zh-HK': '餘額不足' } },
  rt_balance_not_enough: { code: 20002, http: 200, msg: { en: 'RT balance is insufficient', 'zh-HK': 'RT 餘額不足' } },
  not_activated: {
    code: 20003,
    http: 200,
    msg: { en: 'Please activate your account before operation', 'zh-HK': '請先啟用帳戶再操作' },
  },
  exceeds_lending_pool: {
    code: 20004,
    http: 200,
    msg: { en: 'Exceeds the maximum available balance in the lending pool', 'zh-HK': '超出借貸池的最高可借數量' },
  },
  trading_suspended: { code: 20005, http: 200, msg: { en: 'Trading suspended', 'zh-HK': '交易已暫停' } },
  amount_out_of_range: {
    code: 20006,
    http: 200,
    msg: { en: 'The amount is below the minimum or above the maximum', 'zh-HK': '數量低於下限或高於上限' },
  },
  price_moved: {
    code: 20007,
    http: 200,
    msg: { en: 'The price moved beyond your limit', 'zh-HK': '價格變動超出你設定的限度' },
  },
  not_open: { code: 20008, http: 200, msg: { en: 'Not open now', 'zh-HK': '現時未開放' } },
  not_found: { code: 20009, http: 404, msg: { en: 'Not found', 'zh-HK': '找不到資料' } },
  conflict: {
    code: 20010,
    http: 409,
    msg: { en: 'Already done, or conflicts with an earlier request', 'zh-HK': '已完成，或與先前的要求有衝突' },
  },
  price_out_of_date: { code: 20011, http: 200, msg: { en: 'The price is out of date', 'zh-HK': '價格已過時' } },
  signature_failed: { code: 20012, http: 200, msg: { en: 'signature failed', 'zh-HK': '簽署失敗，請再試一次' } },
  invalid_account: { code: 20013, http: 200, msg: { en: 'Invalid account', 'zh-HK': '帳戶無效' } },
  rt_deposit_missing: {
    code: 20014,
    http: 200,
    msg: { en: 'Deposit more RT first', 'zh-HK': '請先存入更多 RT' },
  },
  too_many_open: {
    code: 20015,
    http: 200,
    msg: { en: 'Too many open', 'zh-HK': '未完結的數目已達上限' },
  },
  account_is_leaving: {
    code: 20016,
    http: 200,
    msg: { en: 'This account is leaving', 'zh-HK': '此帳戶正在自主退出' },
  },
  not_available: {
    code: 20017,
    http: 200,
    msg: { en: 'Not available to this account', 'zh-HK': '此帳戶未能使用此功能' },
  },
  uid_not_linked: {
    code: 20020,
    http: 200,
    msg: { en: 'Link a UID first', 'zh-HK': '請先連結 UID' },
  },
  too_many_requests: {
    code: 42900,
    http: 429,
    msg: { en: 'Too many requests', 'zh-HK': '要求過於頻密，請稍後再試' },
  },
  something_went_wrong: { code: 50000, http: 500, msg: { en: 'Something went wrong', 'zh-HK': '發生錯誤' } },
  not_ready: {
    code: 50300,
    http: 503,
    msg: { en: 'The service is not ready, please try again shortly', 'zh-HK': '服務暫未就緒，請稍後再試' },
  },
} as const satisfies Record<string, Code>

export type CodeName = keyof typeof CODES
export type RefusalName = Exclude<CodeName, 'ok' | 'something_went_wrong'>

/** The shape of every response, at every HTTP status. */
export interface Envelope<Data = unknown> {
  code: number
  msg: string
  data: Data
}
