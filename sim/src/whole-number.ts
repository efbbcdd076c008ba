/** Parses a whole number from 1. @throws Error that names the option. */
export function wholeNumber(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} must be a whole number from 1, not "${text}"`)
  return value
}
