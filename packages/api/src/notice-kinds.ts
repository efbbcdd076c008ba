import * as z from 'zod/mini'
import { decimalText } from './fields.ts'

/**
 * Every kind of notice that users can get, with its facts. Each server feature lists the kinds that it sends, and the web
 * has a text for each in both languages: a kind without a text does not compile.
 */
export const NOTICE_KINDS = {
  /** A market's price reached the price of the user's alert. */
  price_alert: z.object({
    symbol: z.string(),
    direction: z.enum(['above', 'below']),
    price: decimalText,
    /** Market price that reached the alert. */
    price_seen: decimalText,
  }),
} as const satisfies Readonly<Record<string, z.core.$ZodObject>>
export type NoticeKind = keyof typeof NOTICE_KINDS
export type NoticeParams<Kind extends NoticeKind> = z.output<(typeof NOTICE_KINDS)[Kind]>
