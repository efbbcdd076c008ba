import type { Database } from '@clearwell/ledger/database'
import type { PublicClient } from 'viem'
import { configUnits } from '../../config/fields.ts'
import type { PlatformConfig } from '../../config/platform-config.ts'
import type { Chain } from '../chain/chain.ts'
import type { Report } from '../log/report.ts'
import type { LastPrices } from '../prices/last-prices.ts'
import type { Clock } from '../time/clock.ts'
import { repeat } from '../time/repeat.ts'
import { createBinanceExchange, type ExchangeRules } from './binance-exchange.ts'
import { type ChainlinkFeed, type ChainlinkFeeds, createChainlinkFeeds } from './chainlink-feeds.ts'
import { createLiveSource } from './live-source.ts'
import { createAnchorStore, createSimulatedSource } from './simulated-source.ts'
import type { SpotSource } from './spot-source.ts'

/** The operator sees a fault immediately, and one of the same kind again after this time. */
const REPEAT_FAULT_MS = 60_000

/** How often and how patiently the exchange and the feeds are asked. Tests are faster. */
export interface SpotPace extends Omit<ExchangeRules, 'maxWeightPerMinute'> {
  readonly feedPollMs: number
  /** How often each symbol is looked at: two looks give money its price back, and the operator learns of a missing one. */
  readonly checkMs: number
}

const PACE: SpotPace = {
  timeoutMs: 5_000,
  backoffMs: 500,
  maxBackoffMs: 30_000,
  connectTimeoutMs: 10_000,
  silentAfterMs: 10_000,
  pollMs: 5_000,
  syncMs: 60_000,
  feedPollMs: 10_000,
  checkMs: 5_000,
}

export interface Spot {
  readonly source: SpotSource
  /** Sets a simulated price as of now. Returns false for an unknown symbol, and where prices are real. */
  setPrice(symbol: string, priceE18: bigint): Promise<boolean>
  /** Starts the sources. A silent source delays nothing. */
  start(): void
  stop(): void
  /** Looks at every symbol now, as the timer does. */
  look(): void
}

interface SpotDependencies {
  readonly market: PlatformConfig['market']
  readonly clock: Clock
  readonly db: Database
  /** The chain's first node, and the chain as all its nodes report it. */
  readonly client: PublicClient
  readonly chain: Pick<Chain, 'head'>
  /** From 0 to 1, so that two servers do not return at the same moment. */
  readonly random: () => number
  /** The last prices that money could use, kept by the server that writes. */
  readonly last: LastPrices
  readonly isLeader: () => boolean
  readonly onError: Report
  readonly pace?: SpotPace
}

/** The spot prices that the configuration names: simulated, or those of an exchange and Chainlink's feeds. */
export async function openSpot(deps: SpotDependencies): Promise<Spot> {
  const { market } = deps
  return market.source === 'simulated' ? openSimulated(market, deps) : openLive(market, deps)
}

type Simulated = Extract<PlatformConfig['market'], { source: 'simulated' }>
type Live = Extract<PlatformConfig['market'], { source: 'live' }>

async function openSimulated({ seed, symbols, moves }: Simulated, { clock, db }: SpotDependencies): Promise<Spot> {
  const anchors = new Map(Object.entries(symbols).map(([symbol, price]) => [symbol, configUnits(price, 'USDT')]))
  const source = await createSimulatedSource({ seed, moves, clock, anchors, store: createAnchorStore(db) })
  return { source, setPrice: source.setPrice, start: () => {}, stop: () => {}, look: () => {} }
}

function openLive(market: Live, deps: SpotDependencies): Spot {
  const { clock, client, chain, random, last, isLeader, onError, pace = PACE } = deps
  const symbols = new Set(market.symbols)
  const onFault = createFaultLog(clock, onError)
  const { name, restUrl, streamUrl, maxWeightPerMinute } = market.exchange
  // A price that is lost in between must be found again by two timer.
  const onReading = (symbol: string) => void source.quote(symbol)
  const exchange = createBinanceExchange({
    name,
    restUrl,
    streamUrl,
    symbols,
    clock,
    random,
    rules: { ...pace, maxWeightPerMinute },
    onReading,
    onFault,
  })
  const feeds = openFeeds(market, { client, chain, clock, pollMs: pace.feedPollMs, onReading, onFault })
  const { staleAfterMs, maxDisagreementBps, maxClearingDisagreementBps } = market
  const source = createLiveSource({
    symbols,
    exchange,
    feeds,
    clock,
    rules: { staleAfterMs, maxDisagreementBps, maxClearingDisagreementBps },
    onFault,
  })
  function look(): void {
    for (const symbol of symbols) {
      const quote = source.look(symbol)
      if ('meanE18' in quote) last.note(symbol, quote)
    }
  }
  const checks = repeat({
    async run() {
      look()
      if (isLeader()) await last.save()
    },
    everyMs: pace.checkMs,
    onError: (error) => onFault('spot prices', error),
  })
  return {
    source,
    setPrice: async () => false,
    look,
    start() {
      exchange.start()
      feeds.start()
      checks.start()
    },
    stop() {
      void checks.stop()
      exchange.stop()
      feeds.stop()
    },
  }
}

function openFeeds(
  { chainlink, usdtUsd }: Live,
  deps: Omit<Parameters<typeof createChainlinkFeeds>[0], 'feeds' | 'peg'>,
): ChainlinkFeeds {
  const feeds = Object.entries(chainlink).flatMap(([symbol, feed]): [string, ChainlinkFeed][] =>
    feed ? [[symbol, feedOf(symbol.replace(/USDT$/, ''), feed)]] : [],
  )
  return createChainlinkFeeds({ feeds: new Map(feeds), peg: usdtUsd ? feedOf('USDT', usdtUsd) : undefined, ...deps })
}

function createFaultLog(clock: Clock, onError: Report): (kind: string, error: unknown) => void {
  const reportedMs = new Map<string, number>()
  return (kind, error) => {
    const nowMs = clock.now().getTime()
    if (nowMs - (reportedMs.get(kind) ?? Number.NEGATIVE_INFINITY) < REPEAT_FAULT_MS) return
    reportedMs.set(kind, nowMs)
    onError(error, kind)
  }
}

/** Chainlink names the feed of BNB "BNB / USD". */
function feedOf(asset: string, { address, heartbeatMs }: { address: string; heartbeatMs: number }): ChainlinkFeed {
  return { address: address as `0x${string}`, description: `${asset} / USD`, heartbeatMs }
}
