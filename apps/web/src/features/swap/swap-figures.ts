import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { cutDecimals, formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { typedUnits } from '@clearwell/ui/components/amount-input.ts'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { m } from '../../generated/messages.ts'

const E18 = 10n ** 18n
/** Decimals of a figure; below 1 they count from the first digit that is not zero, up to a limit. */
const FIGURE_DECIMALS = 6
const SMALL_DECIMALS = 8
/** Agreed and executed amounts are shown to the last unit. */
const ALL_DECIMALS = 18

/** Base units as plain decimal text. */
export function textOf(units: bigint, asset: AssetId): string {
  return formatUnits(units, ASSET_DECIMALS[asset])
}

/** An amount of a response, which is a plain decimal of its asset; anything else is a bug. */
export function exactUnits(text: string, asset: AssetId): bigint {
  const units = parseUnits(text, ASSET_DECIMALS[asset])
  if (units === undefined) throw new TypeError(`the server's ${JSON.stringify(text)} is not an amount of ${asset}`)
  return units
}

/** A received amount with its asset, rounded down: never shown greater than it is. */
export function received(units: bigint, asset: AssetId): string {
  const text = textOf(units, asset)
  return `${formatAmount(text, { decimals: decimalsOf(text) })} ${asset}`
}

/** A paid amount with its asset, rounded up: never shown smaller than it is. A tiny amount shows as "<". */
export function paid(units: bigint, asset: AssetId): string {
  const text = textOf(units, asset)
  const decimals = decimalsOf(text)
  const shown = cutDecimals(text, decimals) === '0' ? text : roundDecimals(text, decimals, 'up')
  return `${formatAmount(shown, { decimals })} ${asset}`
}

/** An amount to its last unit, with its asset. */
export function exactly(amount: string, asset: string): string {
  return `${formatAmount(amount, { decimals: ALL_DECIMALS })} ${asset}`
}

/**
 * Plain decimal text with at most `decimals` decimals. `nearest` (half up) is for the preview of one unit (specification
 * §5), `up` for amounts to pay and `down` for amounts to receive.
 */
export function roundDecimals(text: string, decimals: number, rounding: 'nearest' | 'up' | 'down'): string {
  const units = parseUnits(text, 18)
  if (units === undefined) return text
  const step = 10n ** BigInt(18 - decimals)
  const added = { nearest: step / 2n, up: step - 1n, down: 0n }[rounding]
  return formatUnits(((units + added) / step) * step, 18)
}

/**
 * The amount to transfer in where the balance lacks some: rounded up to a readable figure, and at least the minimum of a
 * transfer.
 *
 * @param min plain decimal text.
 */
export function amountToTransfer(missing: bigint, asset: AssetId, min: string): string {
  const least = exactUnits(min, asset)
  return roundDecimals(textOf(missing > least ? missing : least, asset), FIGURE_DECIMALS, 'up')
}

/**
 * A calculated amount for its field: six significant decimals, and nine digits in all where two decimals remain, so that it
 * fits on a small phone.
 */
export function readable(text: string, rounding: 'up' | 'down'): string {
  const wholeDigits = text.split('.')[0]?.length ?? 1
  return roundDecimals(text, Math.min(decimalsOf(text), Math.max(2, 9 - wholeDigits)), rounding)
}

/** A typed amount for a confirmation: cut where it is long, never rounded. */
export function typedAmount(units: bigint, asset: AssetId): string {
  const text = textOf(units, asset)
  const short = shortened(text)
  const isCut = short !== text
  return `${formatAmount(isCut ? short.slice(0, -1) : text, { decimals: ALL_DECIMALS })}${isCut ? '…' : ''} ${asset}`
}

/** A typed amount for reading while it is not edited: cut, never rounded up, since it is the user's own. */
export function shortened(text: string): string {
  return (text.split('.')[1]?.length ?? 0) > FIGURE_DECIMALS ? `${cutDecimals(text, decimalsOf(text))}…` : text
}

/** The rate in the other direction; `undefined` for a rate of zero. */
export function inverseRate(rate: string): string | undefined {
  const units = parseUnits(rate, 18)
  return units === undefined || units === 0n ? undefined : formatUnits(mulDiv(E18, E18, units, 'down'), 18)
}

/** An amount of an asset, in base units. */
interface AmountOf {
  readonly units: bigint
  readonly asset: AssetId
}

/** The price of one unit of the received asset in the paid asset: plain decimal text, rounded down. */
export function priceIn(paid: AmountOf, got: AmountOf): string {
  if (got.units === 0n) return '0'
  const [paidUnit, gotUnit] = [unitOf(paid.asset), unitOf(got.asset)]
  return formatUnits(mulDiv(paid.units * E18, gotUnit, got.units * paidUnit, 'down'), 18)
}

/** The price of a swap as markets quote it: in the second asset of the pair, for one of the first. */
export function executionPrice(
  { sold, bought, inverse }: { sold: AssetId; bought: AssetId; inverse: boolean },
  { amountIn, amountOut }: { amountIn: bigint; amountOut: bigint },
): string {
  const [given, taken] = [
    { units: amountIn, asset: sold },
    { units: amountOut, asset: bought },
  ] as const
  const [quote, base] = inverse ? [given, taken] : [taken, given]
  return m.swap_price_of({ price: formatPrice(priceIn(quote, base)), base: base.asset, quote: quote.asset })
}

/** An amount's value in USDT at the pool's mid price; `undefined` for USDT itself and where no price is known. */
export function worthUsdt(
  amount: string,
  asset: AssetId,
  { base, quote, price }: { base: AssetId; quote: AssetId; price: string },
): string | undefined {
  const units = typedUnits(amount, ASSET_DECIMALS[asset])
  const priceE18 = parseUnits(price, 18)
  if (!units || !priceE18 || asset !== base || quote !== 'USDT') return undefined
  // Rounded down: never shown worth more than it is.
  return formatUnits(mulDiv(units, priceE18, unitOf(asset), 'down'), 18)
}

function unitOf(asset: AssetId): bigint {
  return 10n ** BigInt(ASSET_DECIMALS[asset])
}

function decimalsOf(text: string): number {
  const zeros = /^0\.(0*)[1-9]/.exec(text)?.[1]?.length ?? 0
  return Math.min(zeros + FIGURE_DECIMALS, SMALL_DECIMALS)
}
