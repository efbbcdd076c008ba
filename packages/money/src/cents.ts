/** Units of an amount with 18 decimals in a cent. */
export const CENT_UNITS = 10n ** 16n
/** Less than a millionth is dust of rounding and interest of seconds: it changes no cent on a screen. */
const DUST_UNITS = 10n ** 12n - 1n

/** Cents to show of a value that is held, with 18 decimals: down, apart from dust. Below zero it is cut toward zero. */
export function centsHeld(units: bigint): bigint {
  return (units < 0n ? units - DUST_UNITS : units + DUST_UNITS) / CENT_UNITS
}

/** Cents to show of a debt, with 18 decimals: up, apart from dust. */
export function centsOwed(units: bigint): bigint {
  const owed = units - DUST_UNITS
  return owed <= 0n ? 0n : (owed + CENT_UNITS - 1n) / CENT_UNITS
}
