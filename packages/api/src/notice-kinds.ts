import * as z from 'zod/mini'
import { decimalText } from './fields.ts'

/**
 * Every kind of notice that users can get, with the facts that it carries. The server's features say which of them they
 * send, and the web words each in both languages: a kind without a text does not compile.
 */
export const NOTICE_KINDS = {
  /** The price of a market reached the one that the user had set an alert at. */
  price_alert: z.object({
    symbol: z.string(),
    direction: z.enum(['above', 'below']),
    price: decimalText,
    /** The price that reached it. */
    price_seen: decimalText,
  }),
} as const satisfies Readonly<Record<string, z.core.$ZodObject>>
export type NoticeKind = keyof typeof NOTICE_KINDS
export type NoticeParams<Kind extends NoticeKind> = z.output<(typeof NOTICE_KINDS)[Kind]>
