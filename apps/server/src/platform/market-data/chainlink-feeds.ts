import { mulDiv } from '@clearwell/money/mul-div'
import { E18 } from '@clearwell/money/scale'
import { BaseError, type PublicClient, parseAbi } from 'viem'
import type { Chain, ChainBlock } from '../chain/chain.ts'
import { nodeErrorOf } from '../chain/node-error.ts'
import type { Clock } from '../time/clock.ts'
import { repeat } from '../time/repeat.ts'
import type { SpotReading } from './judge-readings.ts'

/** Source: AggregatorV3Interface of Chainlink's contracts. */
const aggregatorAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function description() view returns (string)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
])

const NAME = 'Chainlink'
const PRICE_DECIMALS = 18
/** The feed by which prices in US dollars are divided. No symbol has this name: a symbol ends with USDT. */
const PEG = 'USDT/USD'

export interface ChainlinkFeed {
  readonly address: `0x${string}`
  /** Its own name: any other means that the address is wrong. */
  readonly description: string
  /** The feed is written at least this often, confirmation included; an older round means that the feed is dead. */
  readonly heartbeatMs: number
}

export interface ChainlinkFeeds {
  reading(symbol: string): SpotReading | undefined
  start(): void
  stop(): void
}

/** A feed's round has no usable price. */
class FeedFault extends Error {
  override readonly name = 'FeedFault'
}

/**
 * Chainlink's price feeds, read from the chain's node every `pollMs`.
 *
 * A feed is written when the price has moved or its heartbeat is over, so its round is valid until then: a reading has the
 * time of its block, and a round older than the heartbeat at that block is rejected. A node that has stopped following
 * the chain has an old block, so its readings are old and do not count.
 *
 * The feeds have prices in US dollars, so each is divided by the feed of USDT / USD, which obeys the same rules: a price in
 * USDT has the time of the older of the two, and counts until the first of both heartbeats is over. Without a fresh USDT /
 * USD there is no reading. While USDT is off its peg, exchange and feeds still agree.
 */
export function createChainlinkFeeds({
  feeds,
  peg,
  client,
  chain,
  clock,
  pollMs,
  onReading,
  onFault,
}: {
  /** By symbol, in US dollars. */
  feeds: ReadonlyMap<string, ChainlinkFeed>
  /** USDT / USD; absent only where no symbol has a feed. */
  peg: ChainlinkFeed | undefined
  client: PublicClient
  chain: Pick<Chain, 'head'>
  clock: Clock
  pollMs: number
  onReading: (symbol: string) => void
  onFault: (kind: string, error: unknown) => void
}): ChainlinkFeeds {
  const all = [...feeds, ...(peg ? [[PEG, peg] as const] : [])]
  const latest = new Map<string, FeedPrice>()
  let isRunning = false

  async function run(): Promise<void> {
    try {
      const block = await chain.head()
      await Promise.all(all.map(([symbol, feed]) => read(symbol, feed, block)))
    } catch (error) {
      report(`the feeds of ${NAME}`, error)
    }
  }
  const timer = repeat({ run, everyMs: pollMs, onError: (error) => report(`the feeds of ${NAME}`, error) })

  async function read(symbol: string, feed: ChainlinkFeed, block: ChainBlock): Promise<void> {
    try {
      const { priceE18, writtenMs } = await readPrice(client, feed, block)
      // Validators set a block's time slightly ahead; a price of the next moment is a price of now.
      const time = new Date(Math.min(block.time.getTime(), clock.now().getTime()))
      // Of several nodes behind one address one may lag.
      if (time < (latest.get(symbol)?.time ?? time)) return
      latest.set(symbol, { priceE18, time, validUntil: new Date(writtenMs + feed.heartbeatMs) })
      for (const each of symbol === PEG ? feeds.keys() : [symbol]) onReading(each)
    } catch (error) {
      // A feed with an unusable round is no source any more. One that was not reached only grows old.
      if (error instanceof FeedFault) latest.delete(symbol)
      report(`the feed of ${symbol}`, error)
    }
  }

  function report(kind: string, error: unknown): void {
    if (isRunning) onFault(kind, nodeErrorOf(error) ?? inOneLine(error))
  }

  return {
    reading: (symbol) => inUsdt(latest.get(symbol), latest.get(PEG)),
    start() {
      isRunning = true
      timer.start()
      timer.wake()
    },
    stop() {
      isRunning = false
      void timer.stop()
    },
  }
}

/** viem's message without the call that failed. */
function inOneLine(error: unknown): unknown {
  return error instanceof BaseError ? new Error(error.shortMessage) : error
}

/** A feed's price in US dollars. */
interface FeedPrice {
  readonly priceE18: bigint
  readonly time: Date
  /** When its heartbeat is over. */
  readonly validUntil: Date
}

/** A price in US dollars, divided by that of USDT and rounded down. */
function inUsdt(price: FeedPrice | undefined, peg: FeedPrice | undefined): SpotReading | undefined {
  if (!price || !peg) return undefined
  const earlier = (a: Date, b: Date) => (a < b ? a : b)
  const priceE18 = mulDiv(price.priceE18, E18, peg.priceE18, 'down')
  if (priceE18 === 0n) return undefined
  return {
    name: NAME,
    priceE18,
    time: earlier(price.time, peg.time),
    validUntil: earlier(price.validUntil, peg.validUntil),
  }
}

/** A feed's price at a block. @throws FeedFault */
async function readPrice(client: PublicClient, feed: ChainlinkFeed, block: ChainBlock): Promise<RoundPrice> {
  const contract = { address: feed.address, abi: aggregatorAbi, blockNumber: block.number }
  const [decimals, description, round] = await Promise.all([
    client.readContract({ ...contract, functionName: 'decimals' }),
    client.readContract({ ...contract, functionName: 'description' }),
    client.readContract({ ...contract, functionName: 'latestRoundData' }),
  ])
  if (description !== feed.description) throw new FeedFault(`it is the feed of ${description.slice(0, 40)}`)
  return priceOf(round, decimals, { block, heartbeatMs: feed.heartbeatMs })
}

type Round = readonly [roundId: bigint, answer: bigint, startedAt: bigint, updatedAt: bigint, answeredInRound: bigint]

/** The price of a round, 18-decimal fixed point, and when it was written. */
interface RoundPrice {
  readonly priceE18: bigint
  readonly writtenMs: number
}

/** @throws FeedFault */
function priceOf(
  [roundId, answer, , updatedAt, answeredInRound]: Round,
  decimals: number,
  { block, heartbeatMs }: { block: ChainBlock; heartbeatMs: number },
): RoundPrice {
  const blockSeconds = BigInt(Math.floor(block.time.getTime() / 1_000))
  if (decimals > PRICE_DECIMALS) throw new FeedFault(`the feed has ${decimals} decimals`)
  if (answer <= 0n) throw new FeedFault('the feed answered a price that is not above zero')
  if (roundId === 0n || updatedAt === 0n || answeredInRound < roundId)
    throw new FeedFault('the feed answered a round that is not complete')
  if (updatedAt > blockSeconds) throw new FeedFault('the feed answered a round that is yet to come')
  if ((blockSeconds - updatedAt) * 1_000n > BigInt(heartbeatMs))
    throw new FeedFault(`the feed was last written ${blockSeconds - updatedAt} s ago, longer than its heartbeat`)
  return { priceE18: answer * 10n ** BigInt(PRICE_DECIMALS - decimals), writtenMs: Number(updatedAt) * 1_000 }
}
