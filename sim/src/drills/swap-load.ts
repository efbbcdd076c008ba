import { type CommandLoad, startCommandLoad } from './command-load.ts'

/** The same for every repetition: another deadline would be another payload. */
const DEADLINE = new Date(Date.now() + 1_800_000).toISOString()

/** A swap of the pool of drills: small, and back and forth by `inverse`. */
const DRILL_SWAP = (inverse: number) => ({
  pool_id: 'bnb-usdt',
  inverse,
  amount: inverse ? '0.62' : '0.001',
  min_amount_out: '0',
})

export interface SwapLoad extends Omit<CommandLoad, 'stop'> {
  /** Waits until each command has its response. @returns the transaction of each. */
  stop(): Promise<readonly string[]>
}

/** Clients that swap without end. */
export function startSwapLoad({
  urls,
  tokens,
  swapOf = DRILL_SWAP,
}: {
  readonly urls: () => readonly string[]
  readonly tokens: readonly string[]
  /** The payload of a swap in one direction or the other. */
  readonly swapOf?: (inverse: number) => Readonly<Record<string, unknown>>
}): SwapLoad {
  const load = startCommandLoad({ urls, tokens, commandOf: (client, turn) => swapCommand((client + turn) % 2, swapOf) })
  return {
    acknowledge: load.acknowledge,
    get count() {
      return load.count
    },
    longestGapSince: load.longestGapSince,
    stop: async () => (await load.stop()).map(({ data }) => String(data.transaction_id)),
  }
}

/** One swap as a command of a load. */
export function swapCommand(inverse: number, swapOf: (inverse: number) => object = DRILL_SWAP) {
  return { kind: 'swap', path: '/api/SwapPool/doSwap', payload: { ...swapOf(inverse), deadline: DEADLINE } }
}
