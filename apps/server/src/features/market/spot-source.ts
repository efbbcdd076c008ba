/** A spot price as a source tells it. Prices are 18-decimal fixed point of the quote asset. */
export interface SpotTicker {
  readonly symbol: string
  readonly priceE18: bigint
  /** A fraction in millionths: 12,000 is +1.2 %. */
  readonly changePpm: bigint
  readonly highE18: bigint
  readonly lowE18: bigint
  /** Base units of the base asset. */
  readonly volume: bigint
  readonly time: Date
}

/** Where spot prices come from. */
export interface SpotSource {
  readonly name: string
  /** `undefined` for a symbol that the source does not have. */
  ticker(symbol: string): Promise<SpotTicker | undefined>
}
