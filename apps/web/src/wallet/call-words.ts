/** 32 bytes of a call's data, out of hex that may be shorter. */
export function word(hex: string): string {
  const digits = hex.replace(/^0x/, '').toLowerCase()
  if (!/^[0-9a-f]{0,64}$/.test(digits)) throw new TypeError(`word: ${JSON.stringify(hex)} is not up to 32 bytes of hex`)
  return digits.padStart(64, '0')
}
