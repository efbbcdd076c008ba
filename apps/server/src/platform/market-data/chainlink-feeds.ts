import { BaseError, type PublicClient, parseAbi } from 'viem'
import type { Chain, ChainBlock } from '../chain/chain.ts'
import { nodeErrorOf } from '../chain/node-transport.ts'
import type { Clock } from '../time/clock.ts'
import type { SpotReading } from './combine-readings.ts'

/** Source: AggregatorV3Interface of Chainlink's contracts. */
const aggregatorAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function description() view returns (string)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
])

const NAME = 'Chainlink'
const PRICE_DECIMALS = 18

export interface ChainlinkFeed {
  readonly address: `0x${string}`
  /** What it calls itself: of another one the address is a mistake. */
  readonly description: string
  /** The feed is written anew at least so often, with what it takes until that is on the chain; an older answer is a dead feed's. */
  readonly heartbeatMs: number
}

export interface ChainlinkFeeds {
  reading(symbol: string): SpotReading | undefined
  start(): void
  stop(): void
}

/** What a feed answers that nobody may go by. */
class FeedFault extends Error {
  override readonly name = 'FeedFault'
}

/**
 * Chainlink's price feeds, read from the chain's node every `pollMs`.
 *
 * A feed is written when the price has moved or its heartbeat is over, so what it holds stands until then: a reading is of
 * the time of the block that it was read at, and an answer that is older than the heartbeat at that block is refused. A node
 * that stands still, whose last block is old, so has old readings, which do not count.
 *
 * The feeds tell prices in US dollars. Where USDT leaves the dollar, they leave the exchange's price by as much, and the two
 * sources disagree: that is meant, as a price in a coin that lost its peg is no price to lend on.
 */
export function createChainlinkFeeds({
  feeds,
  client,
  chain,
  clock,
  pollMs,
  onReading,
  onFault,
}: {
  feeds: ReadonlyMap<string, ChainlinkFeed>
  client: PublicClient
  chain: Pick<Chain, 'head'>
  clock: Clock
  pollMs: number
  onReading: (symbol: string) => void
  onFault: (kind: string, error: unknown) => void
}): ChainlinkFeeds {
  const latest = new Map<string, SpotReading>()
  let timer: NodeJS.Timeout | undefined
  let isRunning = false

  async function read(symbol: string, feed: ChainlinkFeed, block: ChainBlock): Promise<void> {
    const { address, heartbeatMs } = feed
    const contract = { address, abi: aggregatorAbi, blockNumber: block.number }
    try {
      const [decimals, description, round] = await Promise.all([
        client.readContract({ ...contract, functionName: 'decimals' }),
        client.readContract({ ...contract, functionName: 'description' }),
        client.readContract({ ...contract, functionName: 'latestRoundData' }),
      ])
      if (description !== feed.description) throw new FeedFault(`it is the feed of ${description.slice(0, 40)}`)
      const priceE18 = priceOf(round, decimals, { block, heartbeatMs })
      // Validators set a block's time a little ahead; a price of the next moment is one of now.
      const time = new Date(Math.min(block.time.getTime(), clock.now().getTime()))
      // Of several nodes behind one address one may lag.
      if (time < (latest.get(symbol)?.time ?? time)) return
      latest.set(symbol, { name: NAME, priceE18, time })
      onReading(symbol)
    } catch (error) {
      // A feed that says nonsense is no source any more; one that was not reached said nothing, and only grows old.
      if (error instanceof FeedFault) latest.delete(symbol)
      tell(`the feed of ${symbol}`, error)
    }
  }

  async function poll(): Promise<void> {
    try {
      const block = await chain.head()
      await Promise.all([...feeds].map(([symbol, feed]) => read(symbol, feed, block)))
    } catch (error) {
      tell(`the feeds of ${NAME}`, error)
    }
    if (isRunning) timer = setTimeout(() => void poll(), pollMs)
  }

  function tell(kind: string, error: unknown): void {
    if (!isRunning) return
    // What the node said, or what viem made of it in one line, without the call that it was asked.
    const said = error instanceof BaseError ? new Error(error.shortMessage) : error
    onFault(kind, nodeErrorOf(error) ?? said)
  }

  return {
    reading: (symbol) => latest.get(symbol),
    start() {
      isRunning = true
      void poll()
    },
    stop() {
      isRunning = false
      clearTimeout(timer)
    },
  }
}

type Round = readonly [roundId: bigint, answer: bigint, startedAt: bigint, updatedAt: bigint, answeredInRound: bigint]

/** The price of a round, 18-decimal fixed point. @throws FeedFault */
function priceOf(
  [roundId, answer, , updatedAt, answeredInRound]: Round,
  decimals: number,
  { block, heartbeatMs }: { block: ChainBlock; heartbeatMs: number },
): bigint {
  const blockSeconds = BigInt(Math.floor(block.time.getTime() / 1_000))
  if (decimals > PRICE_DECIMALS) throw new FeedFault(`the feed has ${decimals} decimals`)
  if (answer <= 0n) throw new FeedFault('the feed answered a price that is not above zero')
  if (roundId === 0n || updatedAt === 0n || answeredInRound < roundId)
    throw new FeedFault('the feed answered a round that is not complete')
  if (updatedAt > blockSeconds) throw new FeedFault('the feed answered a round that is yet to come')
  if ((blockSeconds - updatedAt) * 1_000n > BigInt(heartbeatMs))
    throw new FeedFault(`the feed was last written ${blockSeconds - updatedAt} s ago, longer than its heartbeat`)
  return answer * 10n ** BigInt(PRICE_DECIMALS - decimals)
}
