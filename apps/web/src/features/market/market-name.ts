/** A market's name: its two assets together, such as BNBUSDT. */
const MARKET_NAME = /^[A-Z0-9]{2,20}$/

/**
 * What a name in the address stands for: a market's name, another spelling of one that the app should go to instead, or
 * `undefined` for what cannot be a market.
 */
export function readMarketName(text: string): { name: string; isSpelt: boolean } | undefined {
  const name = text.toUpperCase()
  // Upper case only by letters that have one: "ſ" must not become an S.
  if (!MARKET_NAME.test(name) || !/^[A-Za-z0-9]+$/.test(text)) return undefined
  return { name, isSpelt: name === text }
}
