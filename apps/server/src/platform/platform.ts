import type { Database } from '@clearwell/ledger/database'
import type { Table } from '@clearwell/ledger/table'
import type { Writer } from '@clearwell/ledger/writer'
import type { FastifyInstance } from 'fastify'
import type { PublicClient } from 'viem'
import type { PlatformConfig } from '../config/platform-config.ts'
import type { Chain, Custody } from './chain/chain.ts'
import type { LocalChain } from './chain/local-chain.ts'
import type { DepositDesk } from './custody/deposit-desk.ts'
import type { PendingTransaction } from './custody/pending-transactions.ts'
import type { ReserveCheck } from './custody/reserve-checks.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Log } from './log/log.ts'
import type { Report } from './log/report.ts'
import type { Spot } from './market-data/open-spot.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Notices } from './notices/notices.ts'
import type { Use } from './port.ts'
import type { MoneyPrices } from './prices/money-prices.ts'
import type { Prices } from './prices/prices.ts'
import type { Rules } from './rules/ruled.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { Signer } from './signer/signer.ts'
import type { Streams } from './stream/stream.ts'
import type { Clock, MovableClock } from './time/clock.ts'

/**
 * The services that every feature is opened with. A feature hands its functions only those that its functions need.
 *
 * @typeParam Config the keys of the configuration that are visible: the platform's, and the feature's own.
 */
export interface Platform<Config extends PlatformConfig = PlatformConfig> {
  readonly config: Config
  /** Finds the services that other features provide. */
  readonly use: Use
  readonly db: Database
  /** Every table of the database. Those of features are first. */
  readonly tables: readonly Table<unknown>[]
  /** The only way to change money or a position. */
  readonly writer: Writer
  readonly clock: Clock
  /** The chain as all configured nodes report it. */
  readonly chain: Chain
  /** The first node alone, for requests that visitors cause and that are not about money. A slow one delays no others. */
  readonly client: PublicClient
  /** The contracts that hold the users' money. */
  readonly custody: Custody
  readonly signer: Signer
  /** Orders to the vault and their progress on the chain. */
  readonly desk: DepositDesk
  /** Reads payments up to the chain's head now, instead of waiting for the next poll. */
  readonly readPayments: () => Promise<void>
  /** A wallet's payments that are on the chain but not in the ledger yet. */
  readonly pendingTransactionsOf: (userId: string) => Promise<PendingTransaction[]>
  /** The leader's last comparison of the ledger with the vault; `undefined` before the first. From memory. */
  readonly lastReserveCheck: () => Promise<ReserveCheck | undefined>
  readonly sessions: Sessions
  /** The rules that can change, as they are in force. */
  readonly rules: Rules<Config>
  /** Spot prices of the configured market. */
  readonly spot: Spot
  /** Prices to show, to value and to watch. Money never moves by them. */
  readonly prices: Prices
  /** The only prices that money may move by. */
  readonly moneyPrices: MoneyPrices
  readonly jobs: Jobs
  readonly notices: Notices
  /** Sends an event to a user's open apps that listen to this server. Open apps do not receive it again later. */
  readonly publishToAccount: Streams['publishToAccount']
  /** The address that people open the app at. Known once the server listens. */
  readonly publicUrl: () => string
  /** An unguessable id of 32 hex characters. */
  readonly newId: () => string
  /** Adds the metrics of a feature, which its manifest declares. */
  readonly metrics: Pick<Metrics, 'add' | 'onCollect'>
  /** The server's log: a feature writes the events that its manifest declares. */
  readonly log: Log
  /** Reports bugs and alarms, never secrets: to the log and to the list of alarms. */
  readonly onError: Report
  /** The controls of the local profile; absent in every other profile. */
  readonly local: LocalPlatform | undefined
}

/** The services that exist only in the local profile. */
export interface LocalPlatform {
  readonly chain: LocalChain
  readonly rpcUrl: string
  readonly clock: MovableClock
  /** The app, to make calls as any client does. Available once the server listens. */
  readonly app: () => FastifyInstance
  /** Sets the simulated spot price as of now. Returns false for an unknown symbol. */
  readonly setPrice: (symbol: string, priceE18: bigint) => Promise<boolean>
  /** Moves the clock with `move`. No drain runs until the features follow the prices of the new time. */
  readonly holdDrains: (move: () => Promise<void>) => Promise<void>
  /** Runs what is due by time and price, feature by feature. */
  readonly runDue: () => Promise<void>
  /** The moments between two at which an advance of the clock stops, in their order. */
  readonly stopsBetween: (from: Date, to: Date) => Promise<Date[]>
  /** Compares the ledger with the vault and runs the features' audits. Returns one sentence per fault. */
  readonly findFaults: () => Promise<readonly string[]>
  /** Runs what is due by price alone. */
  readonly checkMarket: () => Promise<void>
}
