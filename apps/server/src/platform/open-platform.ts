import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { eachCompletion } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { readTip } from '@clearwell/ledger/reads'
import type { Table } from '@clearwell/ledger/table'
import { Writer } from '@clearwell/ledger/writer'
import type { FastifyInstance } from 'fastify'
import { configUnits } from '../config/fields.ts'
import type { PlatformConfig } from '../config/platform-config.ts'
import { createAlarmStore } from './alarms/alarm.store.ts'
import { standingAlarms } from './alarms/standing-alarms.ts'
import type { ChainGate } from './chain/chain-gate.ts'
import { openChain } from './chain/open-chain.ts'
import type { Composition } from './compose-features.ts'
import { createBookingLog } from './custody/booking-log.ts'
import { depositPurposes } from './custody/credit-deposit.ts'
import { cursorFollowers } from './custody/cursor-followers.ts'
import { depositCall, isPayable } from './custody/deposit-desk.ts'
import { createPayoutGuard } from './custody/payout-guard.ts'
import { createPendingTransactions } from './custody/pending-transactions.ts'
import { givePlaces } from './custody/proof-places.ts'
import { reconcile } from './custody/reconcile.ts'
import { createReserveChecks } from './custody/reserve-checks.ts'
import { createSolvencyCheck } from './custody/solvency.ts'
import { createSolvencyGuard, type SolvencyGuard } from './custody/solvency-guard.ts'
import { withReplacedVaults } from './custody/watched-vault.ts'
import { createWatcher, type Watcher } from './custody/watcher.ts'
import { type WithdrawalOrders, withdrawals } from './custody/withdrawals.ts'
import { createDatabaseWatch } from './database/database-watch.ts'
import { type Databases, openDatabases } from './database/open-database.ts'
import { openReplica } from './database/open-replica.ts'
import { PRIMARY_READS, type Reads } from './database/reads.ts'
import type { VerifyForwarded } from './http/forwarded-requests.ts'
import { createJobs } from './jobs/jobs.ts'
import { refuseFrozen } from './ledger/frozen-accounts.ts'
import { createRt } from './ledger/genesis.ts'
import { admitProven } from './ledger/header-age.ts'
import { eachAdmission, refuseLeaving } from './ledger/leaving-accounts.ts'
import { closeWriter, logLease } from './ledger/log-lease.ts'
import { storeRowLines } from './ledger/row-lines.ts'
import type { Report } from './log/report.ts'
import { openSpot } from './market-data/open-spot.ts'
import { collectBackups } from './metrics/backup-metrics.ts'
import { collectPlatform } from './metrics/collect-platform.ts'
import { collectMoney } from './metrics/money-metrics.ts'
import { createNotices } from './notices/notices.ts'
import { bindVault, openGatedChain } from './open-gated-chain.ts'
import type { Observation } from './open-observation.ts'
import type { LocalPlatform, Platform } from './platform.ts'
import { openLastPrices } from './prices/last-prices.ts'
import { createMoneyPrices } from './prices/money-prices.ts'
import { createPrices, priceSources } from './prices/prices.ts'
import type { Ending } from './process/endings.ts'
import type { PartState, ReadinessPart } from './readiness.ts'
import { createRules } from './rules/ruled.ts'
import { type AskLeader, createAskLeader } from './servers/ask-leader.ts'
import { createServerList, type ServerList, untilWriting } from './servers/server-list.ts'
import { createServerSeal } from './servers/server-seal.ts'
import { createSessionStore } from './sessions/session.store.ts'
import { createSessions } from './sessions/sessions.ts'
import { rootKeys, signerAccount, signerAssets, signerAssetsInForce } from './signer/open-signer.ts'
import { createSigner, type Signer } from './signer/signer.ts'
import { channels } from './stream/channel.ts'
import { createStreamStore } from './stream/stream.store.ts'
import { createStreams, type Streams } from './stream/stream.ts'
import { type Clock, type MovableClock, openMovableClock } from './time/clock.ts'
import type { Repeated } from './time/repeat.ts'
import { openServerClock } from './time/server-clock.ts'

/** The platform, with the parts that only the server itself uses. */
export interface OpenPlatform<Config extends PlatformConfig = PlatformConfig> extends Platform<Config> {
  readonly watcher: Watcher
  readonly solvency: SolvencyGuard
  readonly servers: ServerList
  readonly askLeader: AskLeader
  readonly verifyForwarded: VerifyForwarded
  readonly streams: Streams
  /** Where calls that only read are served from. */
  readonly reads: Reads
  /** Works while reads can be served. Absent without a replica. */
  readonly readsPart: ReadinessPart | undefined
  readonly report: Report
  readonly rpcUrl: string
  /** The node that browsers talk to. Never the server's own, whose address may hold a key. */
  readonly publicRpcUrl: string
  /** False once a chain of our own has died. */
  readonly isChainRunning: () => boolean
  /** Open once the configuration has been compared with the chain. */
  readonly gate: ChainGate
  /** Watches replication and connections of the database. */
  readonly databaseWatch: Pick<Repeated, 'start' | 'now'>
}

export interface PlatformOptions extends Observation {
  /** Ends what was opened, the last first. Filled here. */
  readonly endings: Ending[]
  readonly composition: Composition
  readonly tables: readonly Table<unknown>[]
  /** Keys of the configuration whose values are in the database. */
  readonly announcedKeys: readonly string[]
  /** Available once the server listens. */
  readonly app: () => FastifyInstance
  readonly publicUrl: () => string
  readonly leaseTtlMs: number
  /** A new local ledger's clock starts this long before now, in milliseconds, so that a past can be filled in. */
  readonly startsBackMs?: number | undefined
  /** Wraps the database: the test that kills the server at each of its steps. */
  readonly watchDatabase?: ((db: Database) => Database) | undefined
  /** Available once the server listens. */
  readonly readiness: () => Promise<ReadonlyMap<string, PartState>>
  readonly report: Report
  readonly onError: Report
  readonly onProgress: (stage: string) => void
}

/**
 * Opens everything that features build on, in a data folder that the caller has locked: database, chain, ledger writer, custody, market, streams.
 *
 * @throws ConfigError, one sentence for the operator.
 */
export async function openPlatform<Config extends PlatformConfig>(
  config: Config,
  options: PlatformOptions,
): Promise<OpenPlatform<Config>> {
  const { composition, onError, onProgress } = options
  onProgress('opening the database')
  const { db, writerDb, storage } = await openStorage(config, options)
  const { clock, movableClock, trustedClock } = await openClock(config, db, options)

  onProgress('opening the chain')
  const opened = await openChain(config, db, options.endings, onError, clock.now())
  const { localChain, isChainRunning } = opened
  const rpcUrl = opened.rpcUrls[0] as string
  const custody = await withReplacedVaults(db, config.chain.id, opened.custody)
  const { chain, client, visitorClient, gate } = await openGatedChain(
    config,
    { ...opened, db, custody, clock },
    options,
  )
  await localChain?.moveTo(clock.now())

  onProgress('opening the ledger')
  const ledger = await openLedger(config, { db, writerDb, clock, custody }, options)
  const peers = openPeers(config, { servers: ledger.servers, trustedClock, onError })
  await bindVault({ db, writer: ledger.writer, custody, gate, onError }, config.chain.id)
  const isLeader = () => ledger.writer.isWriting
  const jobs = createJobs({ db, clock, isLeader, onError })
  const desk = await openDesk(config, { db, writerDb, clock, chain, custody, writer: ledger.writer }, options)
  const last = await openLastPrices(db)
  const market = config.market
  const spot = await openSpot({ market, clock, db, client, chain, random: Math.random, last, isLeader, onError })
  spot.start()
  options.endings.push({ what: 'market data', end: async () => spot.stop() })

  const ports = openPorts(config, { ...storage, clock, writer: ledger.writer }, options)
  const platform = {
    config,
    use: composition.use,
    ...storage,
    tables: options.tables,
    clock,
    chain,
    client: visitorClient,
    custody,
    ...ledger,
    ...peers,
    ...desk,
    ...ports,
    jobs,
    spot,
    prices: createPrices(composition.use(priceSources)),
    moneyPrices: createMoneyPrices({ spot: spot.source, last, clock }),
    publicUrl: options.publicUrl,
    newId: () => randomBytes(16).toString('hex'),
    log: options.log,
    metrics: options.metrics,
    report: options.report,
    onError,
    rpcUrl,
    publicRpcUrl: config.env.publicRpcUrl ?? rpcUrl,
    isChainRunning,
    gate,
  }
  observe(platform, writerDb, options)
  const databaseWatch = createDatabaseWatch({ ...options, ...config, db })
  options.endings.push({ what: 'watch of the database', end: databaseWatch.stop })
  const isLocal = localChain !== undefined && movableClock !== undefined
  const local = isLocal ? localPlatform({ chain: localChain, clock: movableClock }, platform, options) : undefined
  return { ...platform, databaseWatch, local }
}

/** Has the alarms stored, and the metrics collected whenever they are read. */
function observe(
  platform: Omit<OpenPlatform, 'local' | 'databaseWatch'>,
  writerDb: Database,
  options: PlatformOptions,
): void {
  const { config, custody, writer, rules } = platform
  watchAlarms(platform, options)
  collectPlatform(options, { ...platform, writerDb, chainId: config.chain.id })
  const isLeader = () => writer.isWriting
  collectMoney(options.metrics, { ...platform, isLeader, caps: () => signerAssetsInForce(config, rules, custody) })
  collectBackups(options.metrics, { ...platform, isLeader })
}

/** Stores the alarms, and raises those whose condition goes on. */
function watchAlarms(
  platform: Pick<OpenPlatform, 'db' | 'watcher' | 'gate' | 'isChainRunning' | 'writer' | 'servers'>,
  { alarms, endings }: PlatformOptions,
): void {
  for (const find of standingAlarms(platform)) alarms.watch(find)
  alarms.start(createAlarmStore(platform.db))
  endings.push({ what: 'alarms', withinMs: 500, end: alarms.stop })
}

async function openStorage(
  config: PlatformConfig,
  { endings, watchDatabase, logEvent, onError, recorder, report }: PlatformOptions,
) {
  const opened = await openDatabases(config, (error) => onError(error, 'database connection'))
  const primary = watchDatabase?.(opened.db) ?? opened.db
  const replica = openReplica(config, primary, { recorder, report })
  const db = replica?.db ?? primary
  logEvent('database_opened', { database: db.kind })
  if (opened.migrations.length > 0) logEvent('migrations_run', { names: opened.migrations })
  endings.push({ what: 'database', end: () => db.close() })
  if (replica) endings.push({ what: 'replica of the database', end: replica.stop })
  const isShared = opened.writerDb === opened.db
  const writerDb = isShared ? db : (watchDatabase?.(opened.writerDb) ?? opened.writerDb)
  if (!isShared) endings.push({ what: "writer's database", end: () => writerDb.close() })
  return { db, writerDb, storage: { db, reads: replica ?? PRIMARY_READS, readsPart: replica?.part } }
}

/** Opens the clock that everything goes by. In the local profile it can be moved. */
async function openClock(
  { env }: PlatformConfig,
  db: Database,
  { endings, startsBackMs, onError }: PlatformOptions,
): Promise<{ clock: Clock; movableClock: MovableClock | undefined; trustedClock: Clock }> {
  const trusted = await openServerClock(db, {
    onStep: (error) => onError(error, 'clock'),
    onError: (error) => onError(error, 'time of the database'),
  })
  endings.push({ what: 'clock', end: trusted.stop })
  trusted.start()
  if (env.profile !== 'local') return { clock: trusted, movableClock: undefined, trustedClock: trusted }
  const isNewLedger = (await readTip(db)).seq === 0n
  const file = join(env.dataDir, 'clock-offset')
  const movableClock = await openMovableClock(file, trusted, isNewLedger ? startsBackMs : undefined)
  // Skips the demo period if this start does not fill it.
  const { behindMs } = movableClock
  if (behindMs > 0) await movableClock.advance(startsBackMs === undefined ? behindMs : 0)
  return { clock: movableClock, movableClock, trustedClock: trusted }
}

/** Opens the writer, waits a moment for its lease, and creates the supply of RT in a new ledger. */
async function openLedger(
  { env, rt }: PlatformConfig,
  { db, writerDb, clock, custody }: Databases & Pick<Platform, 'clock' | 'custody'>,
  { announcedKeys, endings, leaseTtlMs, observer, logEvent, onError }: PlatformOptions,
): Promise<{ writer: Writer; servers: ServerList }> {
  const holder = randomUUID()
  const servers = createServerList(db, holder, announcedKeys)
  const writer = await Writer.open({
    db: writerDb,
    clock,
    randomId: () => randomBytes(16).toString('hex'),
    holder,
    leaseTtlMs,
    exclusive: db.kind === 'pglite',
    onlyFollows: env.role === 'web',
    admission: eachAdmission(refuseFrozen, refuseLeaving, admitProven),
    completion: eachCompletion(givePlaces(custody), storeRowLines),
    measure: { nowMs: () => performance.now(), onBatch: observer.onBatch },
    onError,
  })
  endings.push({ what: 'ledger', end: () => closeWriter(writer, logEvent) })
  logLease(writer, logEvent)
  await untilWriting(writer, servers, leaseTtlMs)
  if (!writer.isWriting) logEvent('leader_followed', { leader: (await servers.writer())?.url })
  if (writer.isWriting)
    await writer.execute(createRt({ total: configUnits(rt.supply, 'RT'), program: configUnits(rt.program, 'RT') }))
  return { writer, servers }
}

/** Opens the ways to and from the other servers of the ledger. Their clocks agree, even where a local one was moved. */
function openPeers(
  { env }: PlatformConfig,
  { servers, trustedClock, onError }: { servers: ServerList; trustedClock: Clock; onError: Report },
): Pick<OpenPlatform, 'askLeader' | 'verifyForwarded'> {
  const seal = createServerSeal({ secret: env.serverKey, clock: trustedClock })
  return {
    askLeader: createAskLeader({ seal, ca: env.serverCa, onError }),
    verifyForwarded: (request) => seal.verify(request, servers.holder),
  }
}

/** Everything between the ledger and the vault: watcher, signer, solvency guard. */
async function openDesk(
  config: PlatformConfig,
  parts: Databases & Pick<Platform, 'clock' | 'chain' | 'custody' | 'writer'>,
  { composition: { use }, logEvent, onError }: PlatformOptions,
) {
  const { db, writerDb, clock, chain, custody, writer } = parts
  const orders = use(withdrawals)
  const watcher = createWatcher({
    chain,
    db,
    writer,
    rules: {
      chainId: config.chain.id,
      vault: custody.vault.toLowerCase(),
      operator: custody.operator,
      purposes: use(depositPurposes),
      get withdrawals() {
        return orders().rules
      },
    },
    expireDue: (at, isStill) => orders().expireDue(at, isStill),
    followers: use(cursorFollowers),
    async findLostSigner(nonces) {
      const lost = await orders().findLost(nonces)
      return lost && (lost.lastSigner ?? signer.address)
    },
    confirmations: config.chain.confirmations,
    startBlock: custody.vaultBlock,
    pollMs: config.chain.pollMs,
    onBooked: createBookingLog(logEvent),
    onError,
  })
  // It sums all balances, which takes longer than a statement of a request may.
  const check = createSolvencyCheck({ db: writerDb, chain, clock })
  const reserveChecks = createReserveChecks({ db, clock, chainId: config.chain.id })
  const { everyMs } = config.solvency
  const checked = { chainId: config.chain.id, vault: custody.vault }
  const solvency = createSolvencyGuard({ db, writer, solvency: check, reserveChecks, checked, everyMs, onError })
  const signer = openSigner(config, { ...parts, solvency, findLost: (nonces) => orders().findLost(nonces), onError })
  const desk: Platform['desk'] = {
    required: config.chain.confirmations,
    canPay: (amount) => isPayable(custody, amount),
    callFor: (amount, orderId) => depositCall(custody, amount, orderId),
    unconfirmedOf: watcher.unconfirmedOf,
    lookUp: watcher.lookUp,
  }
  return {
    watcher,
    solvency,
    lastReserveCheck: reserveChecks.last,
    signer,
    desk,
    readPayments: watcher.poll,
    pendingTransactionsOf: createPendingTransactions({
      chain,
      clock,
      orderIdOf: (nonce) => orders().orderIdOf(nonce),
      unconfirmedOf: watcher.unconfirmedOf,
    }),
  }
}

/** Opens the signer. It signs nothing while money is missing in the vault, or the ledger has lost a voucher. */
function openSigner(
  config: PlatformConfig,
  deps: Pick<Platform, 'db' | 'clock' | 'chain' | 'custody'> & {
    readonly solvency: SolvencyGuard
    readonly findLost: WithdrawalOrders['findLost']
    readonly onError: Report
  },
): Signer {
  const { solvency, custody } = deps
  const account = signerAccount(config)
  const rules = createRules({ ...deps, config })
  const findStop = createPayoutGuard({ ...deps, signer: account.address.toLowerCase() })
  return createSigner({
    ...deps,
    account,
    chainId: config.chain.id,
    vault: custody.vault,
    rootKeys: custody.kind === 'exits' ? rootKeys(config) : undefined,
    assets: signerAssets(config, custody),
    assetsInForce: () => signerAssetsInForce(config, rules, custody),
    async checkSolvency() {
      const reason = await findStop()
      return reason === undefined ? solvency.beforeSigning() : { ok: false, reason }
    },
  })
}

/** Opens the ports that reach users: sessions, the stream and notices. */
function openPorts<Config extends PlatformConfig>(
  config: Config,
  { db, reads, clock, writer }: Pick<OpenPlatform, 'db' | 'reads' | 'clock' | 'writer'>,
  { composition: { use }, onError }: PlatformOptions,
) {
  const sessions = createSessions(createSessionStore(db), clock, config.session.idleTtlMs, reads)
  const streams = createStreams({
    store: createStreamStore(db),
    channels: use(channels),
    openSessions: sessions.open,
    onError,
    limits: config.streams,
  })
  writer.onCommitted(streams.wake)
  const { publishToAccount } = streams
  const pushes = config.env.vapid !== undefined
  const notices = createNotices({ db, publish: publishToAccount, pushes, onError })
  return { sessions, streams, publishToAccount, notices, rules: createRules({ db, clock, config }) }
}

function localPlatform(
  { chain, clock }: Pick<LocalPlatform, 'chain' | 'clock'>,
  platform: Omit<OpenPlatform, 'local' | 'databaseWatch'>,
  { composition, app }: PlatformOptions,
): LocalPlatform {
  const { rpcUrl, spot, readPayments, solvency, notices, jobs } = platform
  async function followPrices(): Promise<void> {
    for (const { runDue } of composition.local) await runDue?.()
  }
  async function checkMarket(): Promise<void> {
    await followPrices()
    await jobs.drain()
  }
  return {
    checkMarket,
    chain,
    clock,
    rpcUrl,
    app,
    setPrice: spot.setPrice,
    async findFaults() {
      const rtSupply = configUnits(platform.config.rt.supply, 'RT')
      const { audits } = composition
      return (await reconcile(platform, { rtSupply, audits }))?.faults ?? ['no block was read']
    },
    async stopsBetween(from, to) {
      const stops = await Promise.all(composition.local.map(({ stopsBetween }) => stopsBetween?.(from, to) ?? []))
      return stops.flat().sort((a, b) => a.getTime() - b.getTime())
    },
    holdDrains: (move) =>
      jobs.hold(async () => {
        await move()
        // A header of the new time needs its block: a run of a plan that found an old header would be skipped.
        await readPayments()
        await followPrices()
      }),
    async runDue() {
      await readPayments()
      solvency.wake()
      await checkMarket()
      await jobs.runDue()
      await notices.check()
    },
  }
}
