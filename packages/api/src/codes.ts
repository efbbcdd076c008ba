import * as z from 'zod/mini'
import { decimalText, timeText } from './fields.ts'
import {
  ACTIVATION_CONFLICTS,
  ALERT_CONFLICTS,
  ALERT_RANGES,
  BOX_CONFLICTS,
  COMMAND_CONFLICTS,
  HEADER_SUSPENSIONS,
  LEAVING_REASONS,
  LENDING_SUSPENSIONS,
  LIQUIDATION_CONFLICTS,
  LIQUIDATION_RANGES,
  LOAN_RANGES,
  PLAN_CONFLICTS,
  POOL_SUSPENSIONS,
  PRICE_REASONS,
  RICH_CONFLICTS,
  STAKE_CONFLICTS,
  SWAP_RANGES,
  WITHDRAWAL_CONFLICTS,
  WITHDRAWAL_RANGES,
  WITHDRAWAL_SUSPENSIONS,
} from './refusal-reasons.ts'

/** The languages of the interface, the first being the default (specification §9). */
export const LOCALES = ['zh-HK', 'en'] as const
export type Locale = (typeof LOCALES)[number]

interface Code {
  /** The number in the envelope. */
  readonly code: number
  /** The HTTP status that carries it. */
  readonly http: number
  /** For people. Where the data names a reason, `refusal-texts.ts` has a closer text. */
  readonly msg: Readonly<Record<Locale, string>>
  /** The data of the envelope. A later version may add fields and reasons. */
  readonly data: z.core.$ZodType
}

/** An optional reason. Two features may give the same one. */
function reasonOf<const Reason extends string>(reasons: readonly Reason[]) {
  return z.optional(z.enum([...new Set(reasons)]))
}

const nothing = z.object({})

/** How much can still be transferred out today, beside a daily limit. */
const today = {
  available_today: z.optional(decimalText),
  limited_by: z.optional(z.enum(['account', 'all_accounts'])),
  /** When more is available; null where that is not known. */
  more_at: z.optional(z.nullable(timeText)),
}

/**
 * Every code an envelope can carry, under the name that the code base uses for it.
 * The English texts quoted in the specification are exact.
 */
export const CODES = {
  ok: {
    code: 1,
    http: 200,
    msg: { en: 'ok', 'zh-HK': '成功' },
    data: z.unknown(),
  },
  sign_in_again: {
    code: 10001,
    http: 200,
    msg: { en: 'Please sign in again', 'zh-HK': '請重新登入' },
    data: nothing,
  },
  invalid_input: {
    code: 20000,
    http: 400,
    msg: { en: 'Invalid input', 'zh-HK': '輸入無效' },
    data: z.object({
      /** The fault of each field, in English. */
      fields: z.record(z.string(), z.string()),
    }),
  },
  balance_not_enough: {
    code: 20001,
    http: 200,
    msg: { en: 'Balance not enough', 'zh-HK': '餘額不足' },
    data: nothing,
  },
  rt_balance_not_enough: {
    code: 20002,
    http: 200,
    msg: { en: 'RT balance is insufficient', 'zh-HK': 'RT 餘額不足' },
    data: z.object({ available: z.optional(decimalText) }),
  },
  not_activated: {
    code: 20003,
    http: 200,
    msg: { en: 'Please activate your account before operation', 'zh-HK': '請先啟用帳戶再操作' },
    data: nothing,
  },
  exceeds_lending_pool: {
    code: 20004,
    http: 200,
    msg: { en: 'Exceeds the maximum available balance in the lending pool', 'zh-HK': '超出借貸池的最高可借數量' },
    data: z.object({ max: decimalText }),
  },
  trading_suspended: {
    code: 20005,
    http: 200,
    msg: { en: 'Trading suspended', 'zh-HK': '交易已暫停' },
    data: z.object({
      reason: reasonOf([...POOL_SUSPENSIONS, ...WITHDRAWAL_SUSPENSIONS, ...LENDING_SUSPENSIONS, ...HEADER_SUSPENSIONS]),
      ...today,
    }),
  },
  amount_out_of_range: {
    code: 20006,
    http: 200,
    msg: { en: 'The amount is below the minimum or above the maximum', 'zh-HK': '數量低於下限或高於上限' },
    data: z.object({
      min: z.optional(z.nullable(decimalText)),
      max: z.optional(z.nullable(decimalText)),
      reason: reasonOf([...LOAN_RANGES, ...LIQUIDATION_RANGES, ...WITHDRAWAL_RANGES, ...SWAP_RANGES, ...ALERT_RANGES]),
      /** The price now, which has already reached the price of an alert. */
      price: z.optional(decimalText),
      ...today,
    }),
  },
  price_moved: {
    code: 20007,
    http: 200,
    msg: { en: 'The price moved beyond your limit', 'zh-HK': '價格變動超出你設定的限度' },
    data: z.object({
      /** The side of a swap that the user left open, now. */
      amount_out: z.optional(decimalText),
      amount_in: z.optional(decimalText),
      /** The yearly rate of a loan now, a fraction. */
      rate: z.optional(decimalText),
      /** The debt that a liquidation would clear now. */
      total_debt: z.optional(decimalText),
      /** The collateral that a liquidation would bring now. */
      received: z.optional(decimalText),
      reason: reasonOf(['deadline_passed']),
    }),
  },
  not_open: {
    code: 20008,
    http: 200,
    msg: { en: 'Not open now', 'zh-HK': '現時未開放' },
    data: z.object({ opens_at: timeText, reason: reasonOf(['clicked', 'one_star_a_day']) }),
  },
  not_found: {
    code: 20009,
    http: 404,
    msg: { en: 'We couldn’t find this. It may have been removed.', 'zh-HK': '找不到資料，可能已被移除。' },
    data: nothing,
  },
  conflict: {
    code: 20010,
    http: 409,
    msg: {
      en: 'This can’t be done any more. Reload to see the current state.',
      'zh-HK': '此操作現時無法進行，請重新載入以查看最新狀況。',
    },
    data: z.object({
      reason: reasonOf([
        ...COMMAND_CONFLICTS,
        ...ACTIVATION_CONFLICTS,
        ...ALERT_CONFLICTS,
        ...BOX_CONFLICTS,
        ...LIQUIDATION_CONFLICTS,
        ...STAKE_CONFLICTS,
        ...PLAN_CONFLICTS,
        ...RICH_CONFLICTS,
        ...WITHDRAWAL_CONFLICTS,
      ]),
      /** The number that is allowed. */
      max: z.optional(z.int()),
      /** The request that is still open. */
      request_id: z.optional(z.string()),
      /** When the deposit of a star that is given up returns. */
      returns_at: z.optional(timeText),
    }),
  },
  price_out_of_date: {
    code: 20011,
    http: 200,
    msg: { en: 'The price is out of date', 'zh-HK': '價格已過時' },
    data: z.object({ reason: reasonOf(PRICE_REASONS) }),
  },
  signature_failed: {
    code: 20012,
    http: 200,
    msg: { en: 'signature failed', 'zh-HK': '簽署失敗，請再試一次' },
    data: z.object({ reason: reasonOf(['malformed', 'no_open_message']) }),
  },
  invalid_account: {
    code: 20013,
    http: 200,
    msg: { en: 'Invalid account', 'zh-HK': '帳戶無效' },
    data: z.object({
      /** The fault of the address, in English. */
      reason: z.optional(z.string()),
    }),
  },
  rt_deposit_missing: {
    code: 20014,
    http: 200,
    msg: { en: 'Deposit more RT first', 'zh-HK': '請先存入更多 RT' },
    data: z.object({ required: decimalText, missing: decimalText }),
  },
  too_many_open: {
    code: 20015,
    http: 200,
    msg: {
      en: 'You have as many open as one account can have. Close one first.',
      'zh-HK': '未完結的項目已達上限，請先結束其中一項。',
    },
    data: z.object({ max: z.int() }),
  },
  account_is_leaving: {
    code: 20016,
    http: 200,
    msg: { en: 'This account is leaving', 'zh-HK': '此帳戶正在自主退出' },
    data: z.object({ reason: reasonOf(LEAVING_REASONS) }),
  },
  not_available: {
    code: 20017,
    http: 200,
    msg: { en: 'Not available to this account', 'zh-HK': '此帳戶未能使用此功能' },
    data: z.object({ reason: reasonOf(['operator_account', 'frozen']) }),
  },
  uid_not_linked: {
    code: 20020,
    http: 200,
    msg: { en: 'Link your external UID first', 'zh-HK': '請先連結外部 UID' },
    data: nothing,
  },
  too_many_requests: {
    code: 42900,
    http: 429,
    msg: { en: 'Too many requests. Wait a moment and try again.', 'zh-HK': '要求過於頻密，請稍後再試。' },
    data: z.object({
      reason: reasonOf(['files', 'files_of_address', 'node_budget', 'node_budget_of_address']),
    }),
  },
  something_went_wrong: {
    code: 50000,
    http: 500,
    msg: { en: 'Something went wrong', 'zh-HK': '發生錯誤' },
    data: z.object({ trace_id: z.string() }),
  },
  not_ready: {
    code: 50300,
    http: 503,
    msg: { en: 'The service is not ready, please try again shortly', 'zh-HK': '服務暫未就緒，請稍後再試' },
    data: z.object({
      /** Finds the entry in the log, after a statement of the database took too long. */
      trace_id: z.optional(z.string()),
      /** The part that this call needs and that does not work now, while others do. */
      part: z.optional(z.string()),
    }),
  },
} as const satisfies Record<string, Code>

export type CodeName = keyof typeof CODES
export type RefusalName = Exclude<CodeName, 'ok' | 'something_went_wrong'>
/** The data of a refusal, as this version of the server writes it. */
export type RefusalData<Name extends RefusalName> = z.output<(typeof CODES)[Name]['data']>
/** The reasons of a refusal. */
export type ReasonOf<Name extends RefusalName> =
  RefusalData<Name> extends { readonly reason?: infer Reason } ? Extract<Reason, string> : never

/** The shape of every response, at every HTTP status. */
export interface Envelope<Data = unknown> {
  code: number
  msg: string
  data: Data
}
