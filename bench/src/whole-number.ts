/** The value of an option of the command line, 1 to 99999999; anything else is rejected. */
export function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`${name} must be a whole number`)
  return Number(text)
}
