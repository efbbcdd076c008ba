import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type RouteName, routes } from '@clearwell/api/routes'
import type { Database } from '@clearwell/ledger/database'
import { Writer } from '@clearwell/ledger/writer'
import type { FastifyInstance } from 'fastify'
import { configHandlers, maxOut } from './config/config.routes.ts'
import { type Config, ConfigError, configUnits, poolLimits, revenueShares } from './config/config.ts'
import { connectOrigins } from './config/connect-origins.ts'
import { readBuildId } from './config/read-build-id.ts'
import { activationPurpose } from './features/activation/activate.ts'
import { activationHandlers } from './features/activation/activation.routes.ts'
import { createActivationStore } from './features/activation/activation.store.ts'
import { alertHandlers, deliveredItem } from './features/alert/alert.handlers.ts'
import { createAlertStore } from './features/alert/alert.store.ts'
import { createAlertDesk } from './features/alert/alert-desk.ts'
import { createPushStore } from './features/alert/push.store.ts'
import { createPushSender } from './features/alert/push-sender.ts'
import { historyHandlers } from './features/history/history.routes.ts'
import { createHistoryStore } from './features/history/history.store.ts'
import { createArbitrageur } from './features/local/arbitrageur.ts'
import { fundArbitrageur } from './features/local/fund-arbitrageur.ts'
import { localHandlers } from './features/local/local.routes.ts'
import { seedActivity } from './features/local/seed-activity.ts'
import { marketHandlers } from './features/market/market.handlers.ts'
import { noticeHandlers } from './features/notice/notice.handlers.ts'
import { sessionHandlers } from './features/session/session.routes.ts'
import { createSessionStore } from './features/session/session.store.ts'
import { createSessions } from './features/session/sessions.ts'
import { chainSignatures } from './features/session/sign-in.ts'
import { openPool } from './features/swap/open-pool.ts'
import { createPoolGuard } from './features/swap/pool-guard.ts'
import { createPoolPrices } from './features/swap/pool-prices.ts'
import { createPoolView } from './features/swap/pool-view.ts'
import { swapHandlers } from './features/swap/swap.handlers.ts'
import { createSwapStore } from './features/swap/swap.store.ts'
import { withdrawalRules } from './features/wallet/complete-withdrawal.ts'
import { createExpiry } from './features/wallet/expire-due.ts'
import { resumeWithdrawals } from './features/wallet/settle-withdrawal.ts'
import { voucherOf } from './features/wallet/voucher.ts'
import { walletHandlers } from './features/wallet/wallet.routes.ts'
import { createWalletStore } from './features/wallet/wallet.store.ts'
import { withdrawalHandlers } from './features/wallet/withdrawal.routes.ts'
import { orderIdOf } from './features/wallet/withdrawal-orders.ts'
import type { Custody } from './platform/chain/chain.ts'
import { connectChain } from './platform/chain/connect-chain.ts'
import { openChain } from './platform/chain/open-chain.ts'
import { type DepositDesk, depositCall, isPayable } from './platform/custody/deposit-desk.ts'
import { createPendingTransactions } from './platform/custody/pending-transactions.ts'
import { createSolvencyCheck } from './platform/custody/solvency.ts'
import { createSolvencyGuard, type SolvencyGuard } from './platform/custody/solvency-guard.ts'
import { createWatcher, type Watcher } from './platform/custody/watcher.ts'
import { lockDataFolder } from './platform/database/data-folder-lock.ts'
import { openDatabase } from './platform/database/open-database.ts'
import { type AnyHandler, createApp } from './platform/http/create-app.ts'
import { isPortFree } from './platform/http/is-port-free.ts'
import { createJobs } from './platform/jobs/jobs.ts'
import { createRt } from './platform/ledger/genesis.ts'
import { openSpot } from './platform/market-data/open-spot.ts'
import { createSpotPrices } from './platform/market-data/spot-prices.ts'
import { createNotices } from './platform/notices/notices.ts'
import { retainNotices } from './platform/notices/retain-notices.ts'
import { createPrices } from './platform/prices/prices.ts'
import { createServerList, type ServerList } from './platform/servers/server-list.ts'
import { capsAboveVault, signerAccount, signerAssets } from './platform/signer/open-signer.ts'
import { createSigner } from './platform/signer/signer.ts'
import { createPublicAnswers, publicHandlers } from './platform/stream/public-answers.ts'
import { serveStream } from './platform/stream/stream.routes.ts'
import { createStreamStore } from './platform/stream/stream.store.ts'
import { createStreams, type Streams } from './platform/stream/stream.ts'
import { openMovableClock, systemClock } from './platform/time/clock.ts'

const WEB_FOLDER = join(import.meta.dirname, '../../web/dist')
const LEASE_TTL_MS = 3_000
const SOLVENCY_EVERY_MS = 60_000
const ALERTS_EVERY_MS = 500

/** How a start may differ from what `npm start` does. */
export interface StartOptions {
  /** Serves the API alone: the web comes from Vite, or is not wanted. */
  readonly apiOnly?: boolean
  /** Stands between the server and its database: the test that kills the server at each step of it. */
  readonly watchDatabase?: (db: Database) => Database
  /** After how long without a sign of life another server takes over; three seconds where absent. */
  readonly leaseTtlMs?: number
  /** Told of bugs and alarms. Never of secrets. */
  readonly onError: (error: unknown, doing: string) => void
  /** Told what the start is at. */
  readonly onProgress?: (doing: string) => void
}

export interface RunningServer {
  readonly url: string
  readonly config: Config
  readonly db: Database
  readonly custody: Custody
  readonly rpcUrl: string
  readonly app: FastifyInstance
  readonly watcher: Watcher
  readonly solvency: SolvencyGuard
  readonly streams: Streams
  /** Stops taking requests, finishes those under way, ends everything it started. */
  stop(): Promise<void>
}

/**
 * Starts everything: data folder, database, chain, ledger writer, watcher, HTTP. What was started before a failure is
 * ended again.
 *
 * @throws ConfigError, DataFolderInUse: one sentence for the operator.
 */
export async function startServer(config: Config, options: StartOptions): Promise<RunningServer> {
  const started: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end().catch((error) => options.onError(error, 'stopping'))
  }
  try {
    return await start(config, options, started, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(
  config: Config,
  options: StartOptions,
  started: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<RunningServer> {
  const { env } = config
  const { leaseTtlMs = LEASE_TTL_MS, onError, onProgress = () => {} } = options
  const isLocal = env.profile === 'local'
  if (env.port !== 0 && !(await isPortFree(env.port))) {
    throw new ConfigError(`Port ${env.port} is taken. Set PORT to another, or end what listens there.`)
  }
  await mkdir(env.dataDir, { recursive: true })
  started.push(await lockDataFolder(env.dataDir))

  onProgress('opening the database')
  const opened = await openDatabase(env, (error) => onError(error, 'database connection'))
  const db = options.watchDatabase?.(opened) ?? opened
  started.push(() => db.close())
  const movableClock = isLocal ? await openMovableClock(join(env.dataDir, 'clock-offset')) : undefined
  const clock = movableClock ?? systemClock

  onProgress('opening the chain')
  const { rpcUrl, custody, localChain, isChainRunning } = await openChain(config, db, started, onError)
  // Browsers are never told the server's own node: its address may hold a key.
  const publicRpcUrl = env.publicRpcUrl ?? rpcUrl
  const { chain, client } = await connectChain(config, {
    rpcUrl,
    custody,
    now: () => clock.now(),
    onAlarm: (error) => onError(error, 'chain'),
  })
  await localChain?.moveTo(clock.now())

  onProgress('opening the ledger')
  const holder = randomUUID()
  const servers = createServerList(db, holder)
  const writer = await Writer.open({
    db,
    clock,
    randomId: () => randomBytes(16).toString('hex'),
    holder,
    leaseTtlMs,
    exclusive: db.kind === 'pglite',
    onError,
  })
  started.push(() => writer.close())
  await untilWriting(writer, servers, leaseTtlMs)
  const jobs = createJobs({ db, clock, isLeader: () => writer.isWriting, onError })

  const activationRules = {
    price: { asset: config.activation.asset, units: configUnits(config.activation.amount, config.activation.asset) },
    opening: config.activation.opening,
    orderTtlMs: config.orders.ttlMs,
  }
  const walletStore = createWalletStore(db)
  const watcher = createWatcher({
    chain,
    db,
    writer,
    rules: {
      chainId: config.chain.id,
      operator: custody.operator,
      purposes: { activation: activationPurpose(activationRules) },
      withdrawals: withdrawalRules,
    },
    expireDue: createExpiry({
      chain,
      writer,
      store: walletStore,
      lapse: (orders, at) =>
        signer.lapse(
          orders.map((order) => voucherOf(custody, order)),
          at,
        ),
      onError,
    }),
    confirmations: config.chain.confirmations,
    startBlock: custody.vaultBlock,
    pollMs: config.chain.pollMs,
    onError,
  })
  const solvency = createSolvencyGuard({
    db,
    writer,
    solvency: createSolvencyCheck({ db, chain, clock }),
    everyMs: SOLVENCY_EVERY_MS,
    onError,
  })
  const assets = signerAssets(config, custody)
  const signer = createSigner({
    db,
    clock,
    account: signerAccount(config),
    chainId: config.chain.id,
    vault: custody.vault,
    assets,
    chain,
    checkSolvency: solvency.beforeSigning,
    onError,
  })
  // A vault that cannot be read says so before each signing.
  for (const above of await capsAboveVault(client, custody.vault, assets).catch(() => [])) {
    onError(new Error(above), 'signer')
  }
  const pools = config.swap.pools.map(({ id, base, quote, initialBase, initialQuote }) => ({
    id,
    base,
    quote,
    initialBase: configUnits(initialBase, base),
    initialQuote: configUnits(initialQuote, quote),
  }))
  if (writer.isWriting) {
    onProgress('filling the pools')
    await writer.execute(
      createRt({ total: configUnits(config.rt.supply, 'RT'), program: configUnits(config.rt.program, 'RT') }),
    )
    await openPools()
  }

  /** Opens the pools of the configuration once the operator's deposit for them is credited. */
  async function openPools(): Promise<void> {
    await watcher.poll()
    const open = async () =>
      (await Promise.all(pools.map((pool) => writer.execute(openPool(pool))))).every((each) => each.open)
    if ((await open()) || !localChain) return
    await localChain.depositLiquidity()
    await watcher.poll()
    if (!(await open())) throw new Error('the pools could not be filled')
  }

  const desk: DepositDesk = {
    required: config.chain.confirmations,
    canPay: (amount) => isPayable(custody, amount),
    callFor: (amount, orderId) => depositCall(custody, amount, orderId),
    progressOf: watcher.progressOf,
    lookUp: watcher.lookUp,
  }
  const fees = { totalBps: BigInt(config.swap.feeBps), revenueBps: BigInt(config.swap.revenueBps) }
  const swapStore = createSwapStore(db)
  const market = await openSpot({ market: config.market, clock, db, client, chain, random: Math.random, onError })
  const spot = market.source
  market.start()
  started.push(async () => market.stop())
  const view = createPoolView({ store: swapStore, clock, pools, fees, spotSymbols: spot.symbols })
  writer.onCommitted(view.invalidate)
  const prices = createPrices([createSpotPrices(spot), createPoolPrices({ store: swapStore, view, pools })])
  const arbitrageur =
    localChain && env.arbitrage
      ? createArbitrageur({
          app: () => app,
          clock,
          async payIn(account) {
            const { id: chainId, confirmations } = config.chain
            await fundArbitrageur({ rpcUrl, chainId, confirmations, custody }, account)
            await watcher.poll()
          },
        })
      : undefined
  const guard = createPoolGuard({
    store: swapStore,
    writer,
    clock,
    view,
    limits: poolLimits(config),
    spot,
    beforeJudging: arbitrageur?.follow,
    everyMs: config.swap.breaker.checkMs,
    onError,
  })

  const sessionStore = createSessionStore(db)
  const sessions = createSessions(sessionStore, clock, config.session.idleTtlMs)
  const build = options.apiOnly ? 'development' : await readBuildId(WEB_FOLDER)
  const publicUrl = () => env.publicUrl ?? `http://127.0.0.1:${listeningPort}`
  let listeningPort = env.port
  const notices = createNotices({
    db,
    publish: (userId, event) => streams.publishToAccount(userId, event),
    onError,
  })
  notices.onSent((notice) => {
    if (notice.kind === 'price_alert')
      streams.publishToAccount(notice.user_id, { name: 'alert', data: deliveredItem(notice) })
  })
  jobs.add([retainNotices({ keepReadMs: config.notices.keepReadDays * 86_400_000 })])
  const alertStore = createAlertStore(db)
  const pushStore = createPushStore(db)
  const handlers = {
    ...sessionHandlers(
      {
        store: sessionStore,
        clock,
        verifySignature: chainSignatures(client),
        chainId: config.chain.id,
        get publicUrl() {
          return publicUrl()
        },
        productName: config.product.en,
        nonceTtlMs: config.session.nonceTtlMs,
      },
      sessions,
    ),
    ...configHandlers({ config, custody, rpcUrl: publicRpcUrl, build, clock }),
    ...activationHandlers({ store: createActivationStore(db), writer, clock, rules: activationRules, desk }),
    ...swapHandlers({
      store: swapStore,
      writer,
      clock,
      view,
      pools,
      rules: { fees, revenueShares: revenueShares(config) },
      quoteTtlMs: config.swap.quoteTtlMs,
      bandOf: guard.bandOf,
    }),
    ...marketHandlers({ source: spot }),
    ...alertHandlers({
      store: alertStore,
      pushStore,
      notices,
      clock,
      prices: prices.watchable,
      newId: () => randomBytes(16).toString('hex'),
      publicKey: env.vapid?.publicKey,
      services: config.push.services,
    }),
    ...noticeHandlers({ notices, clock }),
    ...historyHandlers({
      store: createHistoryStore(db),
      clock,
      priceUsdtE18: prices.priceUsdtE18,
      pricesAt: prices.pricesUsdtAtE18,
      pendingOf: createPendingTransactions({ chain, clock, orderIdOf, unconfirmedOf: watcher.unconfirmedOf }),
      requiredConfirmations: config.chain.confirmations,
      explorerUrl: config.chain.explorerUrl,
      productName: config.product.en,
    }),
    ...walletHandlers({
      store: walletStore,
      writer,
      clock,
      desk,
      limits: transferLimits(config),
      orderTtlMs: config.orders.ttlMs,
      priceUsdtE18: prices.priceUsdtE18,
    }),
    ...withdrawalHandlers({
      store: walletStore,
      writer,
      signer,
      custody,
      clock,
      limits: transferLimits(config),
      voucherTtlMs: config.withdrawals.voucherTtlMs,
      required: config.chain.confirmations,
      progressOf: watcher.withdrawalProgressOf,
    }),
    ...(localChain && movableClock
      ? localHandlers({
          chain: localChain,
          clock: movableClock,
          setPrice: (symbol, priceE18) => market.setPrice(symbol, priceE18).finally(publicAnswers.invalidate),
          runDue: async () => {
            view.invalidate()
            await watcher.poll()
            await guard.check()
            await alerts.check()
            await jobs.runDue()
            await notices.check()
          },
          seed: (input) => seedActivity({ app: () => app, rpcUrl, chainId: config.chain.id }, input),
        })
      : {}),
  }

  const publicAnswers = createPublicAnswers({
    pairs: view.pairs,
    ticker: async (symbol) => handlers.spotTicker({ symbol }, { locale: 'en', idempotencyKey: undefined }),
    clock,
  })
  const streamStore = createStreamStore(db)
  const streams = createStreams({
    store: streamStore,
    answers: publicAnswers,
    openSessions: (hashes) =>
      streamStore.openSessions(hashes, new Date(clock.now().getTime() - config.session.idleTtlMs)),
    onError,
  })
  writer.onCommitted(streams.wake)
  const alerts = createAlertDesk({
    db,
    store: alertStore,
    notices,
    pushStore: env.vapid && pushStore,
    clock,
    isWriting: () => writer.isWriting,
    prices: prices.watchable,
    push:
      env.vapid &&
      createPushSender({ store: pushStore, clock, keys: env.vapid, services: config.push.services, onError }),
    everyMs: ALERTS_EVERY_MS,
    onError,
  })

  // What an earlier process left locked goes on before anyone can ask for it.
  const resume = () => resumeWithdrawals({ store: walletStore, writer, signer, custody }, onError)
  if (writer.isWriting) await resume()
  writer.onLeaseTaken(() => void resume().catch((error) => onError(error, 'withdrawals')))

  let draining = false
  /** Whether the other servers of this ledger know where to find this one, and it them. */
  let isListed = false
  const app: FastifyInstance = await createApp({
    handlers: { ...complete(handlers, isLocal), ...publicHandlers(publicAnswers) },
    serveStream: (app) => serveStream(app, streams, sessions.find),
    findSession: sessions.find,
    // A server that does not write hands commands on.
    isReady: () => !draining && isChainRunning() && watcher.halted === undefined && (writer.isWriting || isListed),
    writing: { servers, isWriting: () => writer.isWriting },
    onBug: (error, traceId) => onError(error, `request ${traceId}`),
    requestsPerMinute: config.rateLimit.perMinute,
    webFolder: options.apiOnly ? undefined : existsSync(WEB_FOLDER) ? WEB_FOLDER : undefined,
    connectOrigins: connectOrigins(config, publicRpcUrl),
    productName: config.product.en,
  })
  started.push(async () => {
    draining = true
    await jobs.stop()
    await alerts.stop()
    await notices.stop()
    await guard.stop()
    await watcher.stop()
    await solvency.stop()
    await app.close()
  })
  await app
    .listen({ port: env.port, host: isLocal ? '127.0.0.1' : '0.0.0.0' })
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        throw new ConfigError(`Port ${env.port} is taken. Set PORT to another, or end what listens there.`)
      throw error
    })
  const address = app.server.address()
  if (typeof address === 'object' && address) listeningPort = address.port
  if (db.kind === 'postgres') {
    await servers.enter(env.serverUrl ?? `http://127.0.0.1:${listeningPort}`)
    started.push(servers.leave)
    isListed = true
  }
  if (writer.isWriting) await arbitrageur?.join().catch((error) => onError(error, 'arbitrageur'))
  await guard.check().catch((error) => onError(error, 'pools'))
  watcher.start()
  solvency.start()
  guard.start()
  alerts.start()
  await notices.start()
  jobs.start()
  return {
    url: `http://127.0.0.1:${listeningPort}`,
    config,
    db,
    custody,
    rpcUrl,
    app,
    watcher,
    solvency,
    streams,
    stop,
  }
}

/** A writer that was killed may still hold the lease for a moment; one that lives keeps it. */
async function untilWriting(writer: Writer, servers: ServerList, leaseTtlMs: number): Promise<void> {
  const deadline = Date.now() + leaseTtlMs + 2_000
  const seenAt = await servers.writerSeenAt()
  while (!writer.isWriting && Date.now() < deadline && (await servers.writerSeenAt()) === seenAt)
    await new Promise((resolve) => setTimeout(resolve, 50))
}

function transferLimits(config: Config) {
  const of = (asset: 'BNB' | 'USDT' | 'ETH') => ({
    minIn: configUnits(config.limits[asset].minIn, asset),
    maxIn: configUnits(config.limits[asset].maxIn, asset),
    minOut: configUnits(config.limits[asset].minOut, asset),
    maxOut: configUnits(maxOut(config, asset), asset),
  })
  return { BNB: of('BNB'), USDT: of('USDT'), ETH: of('ETH') }
}

type LocalRoute = { [Name in RouteName]: (typeof routes)[Name] extends { localOnly: true } ? Name : never }[RouteName]
type AllHandlers = { readonly [Name in Exclude<RouteName, LocalRoute>]: unknown } & {
  readonly [Name in LocalRoute]?: unknown
}

/** Here a route without a handler does not compile. Local controls exist in the local profile only. */
function complete(handlers: AllHandlers, isLocal: boolean): Partial<Record<RouteName, AnyHandler>> {
  const entries = Object.entries(handlers) as [RouteName, AnyHandler][]
  return Object.fromEntries(entries.filter(([name]) => isLocal || !('localOnly' in routes[name])))
}
