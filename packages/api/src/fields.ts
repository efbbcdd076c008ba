import { ASSET_IDS } from '@clearwell/money/asset'
import * as z from 'zod/mini'

/**
 * Field schemas that several calls share.
 *
 * A form carries only text, so every field that is not text also takes its textual form, and an optional field that
 * arrives empty counts as absent.
 */

/** Plain decimal text. The number of decimals is checked once the asset is known. */
export const amountText = z.string().check(z.regex(/^(0|[1-9]\d{0,29})(\.\d{1,18})?$/, 'not a plain decimal amount'))

/** A decimal in a response; may be negative. */
export const decimalText = z.string()

/** ISO 8601 in UTC. */
export const timeText = z.string()

export const asset = z.enum(ASSET_IDS)

export const id = z.string().check(z.regex(/^[\w-]{1,80}$/, 'not an id'))

/** Value of the header `Idempotency-Key`. */
export const idempotencyKey = z.string().check(z.regex(/^[\w-]{8,64}$/, '8 to 64 of A-Z a-z 0-9 - _'))

export const transactionHash = z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/, 'not a transaction hash'))

/** The name that the operator gives to a version of its terms. */
export const termsVersion = z.string().check(z.regex(/^[\w.-]{1,40}$/, 'not a version of terms'))

/** An address is checked separately (hex, length, checksum), with its own refusal code. */
export const addressText = z.string().check(z.maxLength(200))

/** A whole number between two bounds, also as text. */
export function wholeNumber(min: number, max: number) {
  return z.pipe(
    z.union([z.int(), z.pipe(z.string().check(z.regex(/^\d{1,15}$/, 'not a whole number')), z.transform(Number))]),
    z.int().check(z.gte(min), z.lte(max)),
  )
}

export const zeroOrOne = z.pipe(
  z.union([
    z.literal([0, 1]),
    z.pipe(
      z.enum(['0', '1']),
      z.transform((text) => (text === '1' ? 1 : 0)),
    ),
  ]),
  z.literal([0, 1]),
)

/** The end of the year 9999, UTC. Later times have another ISO format, and databases cannot store them. */
const LAST_TIME_MS = 253_402_300_799_999

/** A point in time sent by clients, from 1970 to 9999: ISO 8601 with a zone, or whole seconds since 1970. */
export const timeInput = z.pipe(
  z.union([
    z
      .string()
      .check(z.regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$|^\d{1,10}$/, 'not a time')),
    z.int().check(z.gte(0), z.lte(9_999_999_999)),
  ]),
  z.transform((value: string | number, context) => {
    const date = /^\d+$/.test(String(value)) ? new Date(Number(value) * 1000) : new Date(value)
    // Written so that an invalid time (NaN) is refused too.
    if (!(date.getTime() >= 0 && date.getTime() <= LAST_TIME_MS))
      context.issues.push({ code: 'custom', message: 'not a time', input: value })
    return date
  }),
)

/** An optional field. Empty text counts as absent, because a form sends an empty field that way. */
export function optional<Schema extends z.core.$ZodType>(schema: Schema): z.ZodMiniOptional<Schema> {
  const emptyIsAbsent = z.transform((value: unknown) => (value === '' || value === null ? undefined : value))
  const field: unknown = z.optional(
    z.pipe(
      emptyIsAbsent,
      z.optional<z.core.$ZodType<unknown, unknown>>(schema as z.core.$ZodType<unknown, unknown>) as never,
    ),
  )
  // The pipe's type accepts any input; callers may write only the field's own input type.
  return field as z.ZodMiniOptional<Schema>
}

export const nothing = z.object({})

/** A chart's request: the latest `limit` candles that start at `from` or later and before `to`. */
export const candleWindow = {
  interval: z.enum(['1m', '5m', '15m', '1h', '4h', '1d']),
  from: optional(timeInput),
  to: optional(timeInput),
  limit: optional(wholeNumber(1, 1000)),
}

export const candle = z.object({
  /** Its start. */
  time: timeText,
  open: decimalText,
  high: decimalText,
  low: decimalText,
  close: decimalText,
  /** In the base asset. */
  volume: decimalText,
})

export const page = {
  cursor: optional(z.string().check(z.regex(/^[\w-]{1,100}$/, 'not a cursor'))),
  limit: optional(wholeNumber(1, 100)),
}

/** A page of a list: newest first, `next_cursor` null at the end. */
export function listOf<Schema extends z.core.$ZodType>(item: Schema) {
  return z.object({ items: z.array(item), next_cursor: z.nullable(z.string()) })
}

/** A page of the user's ledger entries. Entries older than a year may be in an archive of the operator, which no list shows. */
export function entriesOf<Schema extends z.core.$ZodType>(item: Schema) {
  return z.object({
    items: z.array(item),
    next_cursor: z.nullable(z.string()),
    /** On the last page: the time up to which entries of the user are in an archive. null: the list is complete. */
    archived_until: z.nullable(timeText),
  })
}
