import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import { isAddress } from 'viem'
import * as z from 'zod/mini'
import { ConfigError } from './config-error.ts'
import type { Fail } from './config-part.ts'

/** Field schemas that several parts of the configuration share, and the rules that go with them. */

export const amount = z.string().check(
  z.refine((text) => parseUnits(text, 18) !== undefined, 'must be a plain decimal such as "12.5"'),
  z.meta({ title: 'decimal text' }),
)

/** Basis points, from none to all. */
export const bps = z.int().check(z.gte(0), z.lte(10_000), z.meta({ title: 'basis points, 0 to 10000' }))

/** A distance from a price: at 100 % and more nothing would ever be too far. */
export const limitBps = z.int().check(z.gte(1), z.lte(9_999), z.meta({ title: 'basis points, 1 to 9999' }))

export const durationMs = z.int().check(z.gte(1), z.meta({ title: 'milliseconds' }))

export const address = z.string().check(
  z.refine((text) => isAddress(text), 'must be 0x and 40 hex characters, mixed case only as its checksum'),
  z.meta({ title: 'address' }),
)

const clockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be HH:MM'))

/** Daily opening times in Hong Kong. */
export const opening = z
  .union([z.literal('always'), z.strictObject({ opens: clockTime, closes: clockTime })])
  .check(z.meta({ title: '`"always"`, or `opens` and `closes` as `"HH:MM"`' }))

export const asset = z.enum(['BNB', 'USDT', 'ETH', 'RT'])

/** An origin alone: the page's content policy would ignore a path. */
export const relayUrl = z
  .string()
  .check(
    z.refine(
      (text) => /^(wss:\/\/[\w.-]+|ws:\/\/(127\.0\.0\.1|localhost))(:\d{1,5})?$/.test(text) && URL.canParse(text),
      'must be a wss:// address without a path, or ws:// on this machine',
    ),
  )

/** An amount of the configuration in base units. */
export function configUnits(text: string, assetId: AssetId): bigint {
  const units = parseUnits(text, ASSET_DECIMALS[assetId])
  if (units === undefined) throw new ConfigError(`"${text}" is not an amount of ${assetId}.`)
  return units
}

export function isAbove(one: string, other: string): boolean {
  return e18(one) > e18(other)
}

/** The ledger refuses a posting of nothing. */
export function refuseZero(name: string, text: string, fail: Fail): void {
  if (e18(text) === 0n) fail(`${name} must be above zero`)
}

export function refuseEmptyOpening(name: string, window: z.output<typeof opening>, fail: Fail): void {
  if (window !== 'always' && window.opens === window.closes)
    fail(`${name} must not open when it closes; write "always" instead`)
}

function e18(text: string): bigint {
  return parseUnits(text, 18) ?? 0n
}
