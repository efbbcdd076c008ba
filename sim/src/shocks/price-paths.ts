/** One step of a price path. */
export interface PriceStep {
  readonly seconds: number
  /** The latest reported prices in USDT. */
  readonly prices: Readonly<Record<'BNB' | 'ETH', number>>
  /** No new price was reported since the step before: the reported one is out of date. */
  readonly isStale: boolean
}

/** The prices that every path begins with. */
export const FIRST_PRICES = { BNB: 600, ETH: 3_000 } as const

const STEPS = 48
const MIN_SECONDS = 3_600
const MAX_SECONDS = 86_400
/** Standard deviation of the logarithm of a step without a jump: about 28 % in 48 steps. */
const CALM = 0.04
const JUMP_CHANCE = 0.04
/** A jump multiplies a price by 0.1 to 10: -90 % to +900 %. */
const JUMP_RANGE = 10
const GAP_CHANCE = 0.05
const MAX_GAP_STEPS = 4
/** Bounds that repeated jumps cannot leave. */
const [LOWEST, HIGHEST] = [0.01, 10_000_000]

/** Random numbers from 0 to 1, the same for the same seed (Mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Makes a price path of 48 steps of an hour to a day: calm moves, jumps of -90 % to +900 %, and gaps without a new price. BNB
 * and ETH share half of their jumps. Prices move on during a gap, so it ends with their sum.
 */
export function pricePath(random: () => number): PriceStep[] {
  const market = { ...FIRST_PRICES } as { BNB: number; ETH: number }
  let reported = { ...market }
  let gap = 0
  return Array.from({ length: STEPS }, () => {
    const shared = jump(random)
    for (const asset of ['BNB', 'ETH'] as const) {
      const own = random() < 0.5 ? shared : jump(random)
      market[asset] = Math.min(HIGHEST, Math.max(LOWEST, market[asset] * own * Math.exp(CALM * normal(random))))
    }
    gap = gap > 0 ? gap - 1 : random() < GAP_CHANCE ? Math.ceil(random() * MAX_GAP_STEPS) : 0
    const isStale = gap > 0
    if (!isStale) reported = { ...market }
    const seconds = Math.round(MIN_SECONDS + random() * (MAX_SECONDS - MIN_SECONDS))
    return { seconds, prices: reported, isStale }
  })
}

/** A factor evenly spread over its logarithm, or 1. */
function jump(random: () => number): number {
  return random() < JUMP_CHANCE ? JUMP_RANGE ** (2 * random() - 1) : 1
}

/** A standard normal number (Box-Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
