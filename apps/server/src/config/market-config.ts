import { parseUnits } from '@clearwell/money/decimal'
import * as z from 'zod/mini'
import type { Fail } from './config-part.ts'
import type { Profile } from './environment.ts'
import { address, amount, relayUrl } from './fields.ts'

/** The server appends its own paths. */
const restUrl = z
  .string()
  .check(
    z.refine(
      (text) => /^(https:\/\/[\w.-]+|http:\/\/(127\.0\.0\.1|localhost))(:\d{1,5})?$/.test(text) && URL.canParse(text),
      'must be an https:// address without a path, or http:// on this machine',
    ),
  )

/** Prices are in USDT, so a symbol is the asset's name and USDT. */
const spotSymbol = z.enum(['BNBUSDT', 'ETHUSDT'])

const simulated = z.strictObject({
  source: z.literal('simulated').check(z.describe('in the local profile only')),
  seed: z.string().check(z.describe('the same seed gives the same prices')),
  symbols: z.record(z.string(), amount).check(z.describe('the first price of each symbol')),
  moves: z._default(z.boolean(), true).check(z.describe('`false`: each price stays at its first one, for tests')),
})

const exchange = z.strictObject({
  name: z.literal('Binance'),
  restUrl: restUrl.check(z.describe('its public market data, without a path')),
  streamUrl: relayUrl.check(z.describe('its public stream, without a path')),
  maxWeightPerMinute: z
    .int()
    .check(
      z.gte(60),
      z.lte(3_000),
      z.describe(
        "the most of the exchange's request weight that this server uses, charts at most half of it. The exchange's own limit is 6,000",
      ),
    ),
})

const feed = z.strictObject({
  address: address.check(z.describe('the contract, which must call itself such as `BNB / USD`')),
  heartbeatMs: z
    .int()
    .check(
      z.gte(1_000),
      z.lte(2 * 86_400_000),
      z.describe(
        'after which an unwritten feed counts as dead: its published heartbeat and a minute, as a round takes a while to be on the chain',
      ),
    ),
})

const live = z.strictObject({
  source: z.literal('live').check(z.describe('required outside the local profile')),
  symbols: z.array(spotSymbol).check(z.minLength(1), z.describe('of `BNBUSDT`, `ETHUSDT`')),
  exchange,
  chainlink: z
    .record(z.string(), z.nullable(feed))
    .check(
      z.describe(
        "each symbol's feed on the chain; `null`: nothing to compare the exchange with, refused in production",
      ),
    ),
  usdtUsd: z
    .nullable(feed)
    .check(
      z.describe(
        'the feed of `USDT / USD`, by which the feeds in US dollars are divided; `null` only where there are none',
      ),
    ),
  maxDisagreementBps: z
    ._default(z.int().check(z.gte(1), z.lte(1_000)), 200)
    .check(
      z.describe(
        'how far two sources may be apart for borrowing and for taking collateral back, in basis points of the lower price',
      ),
    ),
  maxClearingDisagreementBps: z
    ._default(z.int().check(z.gte(1), z.lte(3_000)), 1_000)
    .check(
      z.describe('how far they may be apart for liquidations and for the pools; farther apart the price is unknown'),
    ),
  staleAfterMs: z
    .int()
    .check(z.gte(5_000), z.lte(60_000), z.describe('after which a reading of a source no longer counts')),
})

/** Where spot prices come from. */
export const market = z.discriminatedUnion('source', [simulated, live], {
  error: ({ code }) => (code === 'invalid_union' ? 'must be "simulated" or "live"' : undefined),
})

export type MarketConfig = z.output<typeof market>

/** Real prices wherever money is real, and never from one source alone in production. */
export function checkMarket(market: MarketConfig, profile: Profile, fail: Fail): void {
  if (market.source === 'simulated') {
    for (const [symbol, price] of Object.entries(market.symbols)) {
      if (!parseUnits(price, 18)) fail(`market.symbols.${symbol} must be above zero`)
    }
    if (profile !== 'local') fail('market.source must be "live" outside the local profile')
    return
  }
  if (new Set(market.symbols).size !== market.symbols.length) fail('market.symbols has a symbol twice')
  const unknown = Object.keys(market.chainlink).find((symbol) => !market.symbols.some((each) => each === symbol))
  if (unknown) fail(`market.chainlink.${unknown} is no symbol of market.symbols`)
  if (market.maxClearingDisagreementBps < market.maxDisagreementBps)
    fail('market.maxClearingDisagreementBps must not be below market.maxDisagreementBps')
  if (!market.usdtUsd && Object.values(market.chainlink).some((feed) => feed !== null))
    fail('market.usdtUsd must be a feed: the feeds of market.chainlink are in US dollars')
  for (const symbol of market.symbols) {
    const feed = market.chainlink[symbol]
    if (feed === undefined) fail(`market.chainlink.${symbol} must be a feed or null`)
    if (feed === null && profile === 'production')
      fail(
        `market.chainlink.${symbol} must be set in production: it is the second source that the exchange is compared with`,
      )
  }
}
