import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { configUnits } from '@clearwell/server/src/config/fields.ts'
import { readTicker } from '@clearwell/server/src/features/market/tickers.ts'
import { createPoolView } from '@clearwell/server/src/features/swap/pool-view.ts'
import { createSwapStore } from '@clearwell/server/src/features/swap/swap.store.ts'
import { loadConfig } from '@clearwell/server/src/load-config.ts'
import { createApp } from '@clearwell/server/src/platform/http/create-app.ts'
import {
  createAnchorStore,
  createSimulatedSource,
} from '@clearwell/server/src/platform/market-data/simulated-source.ts'
import { fixedRule } from '@clearwell/server/src/testing/fixed-rule.ts'

/**
 * The peer of `poll`: the same HTTP stack and the same responses, but each call queries the database. The bench starts it
 * in a separate process, on the database of the measured server.
 */
const config = await loadConfig(process.env)
const { databaseUrl } = config.env
if (databaseUrl === undefined) throw new Error('the peer needs DATABASE_URL')
const db = await openPostgresDatabase(databaseUrl)
const clock = { now: () => new Date() }
const units = configUnits
const store = createAnchorStore(db)
const source = await createSimulatedSource({
  seed: config.market.source === 'simulated' ? config.market.seed : '',
  clock,
  anchors: new Map(
    Object.entries(config.market.symbols).map(([symbol, price]) => [symbol, units(String(price), 'USDT')]),
  ),
  store,
})
const view = createPoolView({
  store: createSwapStore(db),
  clock,
  pools: config.swap.pools.map(({ id, base, quote, initialBase, initialQuote }) => ({
    id,
    base,
    quote,
    initialBase: units(initialBase, base),
    initialQuote: units(initialQuote, quote),
  })),
  fees: fixedRule({ totalBps: BigInt(config.swap.feeBps), revenueBps: BigInt(config.swap.revenueBps) }),
  spotSymbols: source.symbols,
})

const app = await createApp({
  handlers: {
    async pairs() {
      view.invalidate()
      return (await view.pairs()).data
    },
    async spotTicker({ symbol = 'BNBUSDT' }: { symbol?: string }) {
      await store.load()
      return readTicker(source, symbol)
    },
  },
  findSession: async () => undefined,
  failingParts: () => [],
  onBug: (error) => console.error(error),
  requestsPerMinute: config.rateLimit.perMinute,
  webFolder: undefined,
  connectOrigins: [],
  productName: config.product.en,
})
console.log(`ready ${await app.listen({ port: 0, host: '127.0.0.1' })}`)
process.once('SIGTERM', () => {
  void app
    .close()
    .then(() => db.close())
    .then(() => process.exit(0))
})
