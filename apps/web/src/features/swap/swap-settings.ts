import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { withDefault } from '@clearwell/ui/browser/store.ts'
import { stored } from '@clearwell/ui/browser/stored.ts'

/** A percentage and whole minutes, as the user typed them. */
export interface SwapSettings {
  readonly slippagePercent: string
  readonly deadlineMinutes: string
}

export const SLIPPAGE_PRESETS = ['0.1', '0.5', '1'] as const
export const DEADLINE_PRESETS = ['5', '20', '60'] as const
const DEFAULT_SETTINGS: SwapSettings = { slippagePercent: '0.5', deadlineMinutes: '20' }

const SLIPPAGE_MIN_BPS = 1n
const SLIPPAGE_MAX_BPS = 5_000n
/** Below the first a swap often fails; above the second others may exploit it. */
const SLIPPAGE_TIGHT_BPS = 10n
const SLIPPAGE_LOOSE_BPS = 500n
const DEADLINE_MAX_MINUTES = 1_440
const MINUTE_MS = 60_000

/** The settings of swaps on this device. */
export const swapSettingsStore = withDefault(
  stored<SwapSettings>({ key: 'clearwell.swap', scope: 'device', schema: settingsOf }),
  DEFAULT_SETTINGS,
)

/** A percentage with two decimals at most, from 0.01 to 50, in basis points. */
export function slippageBpsOf(percent: string): bigint | undefined {
  const bps = parseUnits(percent.replace(/\.$/, ''), 2)
  return bps === undefined || bps < SLIPPAGE_MIN_BPS || bps > SLIPPAGE_MAX_BPS ? undefined : bps
}

/** Basis points as a fraction, for `formatPercent`. */
export function fractionOfBps(bps: bigint): string {
  return formatUnits(bps, 4)
}

export type SlippageRisk = 'tight' | 'loose'

export function slippageRisk(bps: bigint): SlippageRisk | undefined {
  if (bps < SLIPPAGE_TIGHT_BPS) return 'tight'
  return bps > SLIPPAGE_LOOSE_BPS ? 'loose' : undefined
}

/** Whole minutes from 1 to a day. */
export function deadlineMinutesOf(minutes: string): number | undefined {
  if (!/^\d{1,4}$/.test(minutes)) return undefined
  const value = Number(minutes)
  return value >= 1 && value <= DEADLINE_MAX_MINUTES ? value : undefined
}

/**
 * The deadline of a swap, as ISO 8601. Counted from the server's time on the quote: a phone's clock may be wrong by more
 * than the whole deadline.
 */
export function deadlineAfter(quoteExpiresAt: string, minutes: number): string {
  return new Date(Date.parse(quoteExpiresAt) + minutes * MINUTE_MS).toISOString()
}

function settingsOf(value: unknown): SwapSettings | undefined {
  const { slippagePercent = '', deadlineMinutes = '' } = (value ?? {}) as Partial<SwapSettings>
  const isOne = slippageBpsOf(slippagePercent) !== undefined && deadlineMinutesOf(deadlineMinutes) !== undefined
  return isOne ? { slippagePercent, deadlineMinutes } : undefined
}
