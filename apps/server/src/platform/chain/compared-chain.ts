import type { Chain, ChainBlock, ChainMovements, TransactionMovements } from './chain.ts'
import { ChainBehind, ChainDisagreement, ChainFault } from './chain-fault.ts'

/** Blocks that two honest nodes may temporarily be apart. */
const MAX_APART = 20n
/** Heads in a row that must be further apart before the operator is notified. */
const APART_HEADS = 20
/** Blocks below the head to search for a common block: forks of the tip are shorter. */
const TIP_DEPTH = 5n
/** Attempts to get equal responses before a difference counts as a disagreement. */
const ATTEMPTS = 3

export interface ComparedChainOptions {
  readonly primary: Chain
  readonly second: Chain
  /** The nodes' names in messages to the operator. */
  readonly names: readonly [primary: string, second: string]
  /** Called once when one node stays behind the other. No request fails for that. */
  readonly onAlarm: (error: Error) => void
}

/**
 * A chain read from two nodes that must agree: differing responses are never used.
 *
 * @throws ChainDisagreement, and the errors of either node, with the node's name in the message.
 */
export function createComparedChain(options: ComparedChainOptions): Chain {
  const { primary, second, names } = options
  if (primary.id !== second.id) {
    throw new ChainDisagreement('chain_id', `${names[0]} is chain ${primary.id}, ${names[1]} is chain ${second.id}`)
  }
  const { both, agreed } = createComparison(options)
  const distance = createDistanceAlarm(options)

  return {
    id: primary.id,
    async head() {
      const [mine, other] = await both((chain) => chain.head())
      distance.note(mine, other)
      const [lower, lowerChain, higherChain] =
        mine.number <= other.number ? ([mine, primary, second] as const) : ([other, second, primary] as const)
      const common = await commonBlock(lower, lowerChain, higherChain)
      if (common) return common
      throw new ChainDisagreement('head', `${names[0]} and ${names[1]} have different blocks from ${lower.number} down`)
    },
    block: (number) =>
      agreed(
        'block',
        `block ${number}`,
        (chain) => chain.block(number),
        (block) => block === undefined,
      ),
    movements: (range) =>
      agreed('movements', `the payments of blocks ${range.from} to ${range.to}`, (chain) => chain.movements(range)),
    movementsOf: (txHash) =>
      agreed<TransactionMovements>(
        'transaction',
        `transaction ${txHash}`,
        (chain) => chain.movementsOf(txHash),
        ({ status }) => status === 'not_found',
      ),
    vaultHolding: (asset, at) =>
      agreed('holding', `the vault's ${asset} at block ${at}`, (chain) => chain.vaultHolding(asset, at)),
    isNonceUsed: (nonce, at) =>
      agreed('nonce', `nonce ${nonce} at block ${at}`, (chain) => chain.isNonceUsed(nonce, at)),
    vaultState: () => agreed('vault_state', "the vault's switches", (chain) => chain.vaultState()),
    ...(primary.exitActs
      ? {
          exitActs: ({ from, to }) =>
            agreed(
              'exits',
              `the exits of blocks ${from} to ${to}`,
              async (chain) => chain.exitActs?.({ from, to }) ?? [],
            ),
        }
      : {}),
  }
}

/** Sends every request to both nodes. */
function createComparison({ primary, second, names }: ComparedChainOptions) {
  async function both<Result>(ask: (chain: Chain) => Promise<Result>): Promise<[Result, Result]> {
    const [mine, other] = await Promise.allSettled([ask(primary), ask(second)])
    if (mine.status === 'rejected') throw named(mine.reason, names[0])
    if (other.status === 'rejected') throw named(other.reason, names[1])
    return [mine.value, other.value]
  }

  /**
   * Returns the response on which both nodes agree, and retries when a new block or a reorg comes between. If one node
   * still lacks something, the response is that neither has it.
   */
  async function agreed<Result>(
    about: string,
    what: string,
    ask: (chain: Chain) => Promise<Result>,
    isLacking: (response: Result) => boolean = () => false,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      const [mine, other] = await both(ask)
      if (isLacking(mine)) return mine
      if (isLacking(other)) return other
      const difference = differenceOf(mine, other)
      if (difference === undefined) return mine
      if (attempt < ATTEMPTS) continue
      const values = `${names[0]} says ${difference[0]}, ${names[1]} says ${difference[1]}`
      throw new ChainDisagreement(about, `the nodes differ about ${what}: ${values}`)
    }
  }

  return { both, agreed }
}

/** Reports once that one node stays behind the other. */
function createDistanceAlarm({ names, onAlarm }: ComparedChainOptions) {
  let apartHeads = 0
  return {
    note(mine: ChainBlock, other: ChainBlock): void {
      const apart = mine.number > other.number ? mine.number - other.number : other.number - mine.number
      apartHeads = apart > MAX_APART ? apartHeads + 1 : 0
      if (apartHeads !== APART_HEADS) return
      const late = mine.number < other.number ? names[0] : names[1]
      onAlarm(new ChainBehind(`${late} is ${apart} blocks behind the other node, and stays there`))
    },
  }
}

/** Finds the highest block near the lower node's head that both have. The tip may be temporarily forked. */
async function commonBlock(head: ChainBlock, lower: Chain, higher: Chain): Promise<ChainBlock | undefined> {
  let candidate: ChainBlock | undefined = head
  for (let depth = 0n; candidate && depth <= TIP_DEPTH; depth++) {
    const { number }: ChainBlock = candidate
    const found = await higher.block(number)
    if (found && differenceOf(found, candidate) === undefined) return candidate
    candidate = number > 0n ? await lower.block(number - 1n) : undefined
  }
  return undefined
}

/** Describes what each response has and the other lacks; `undefined` if they are equal. */
function differenceOf(mine: unknown, other: unknown): [string, string] | undefined {
  const [mineLines, otherLines] = [linesOf(mine), linesOf(other)]
  if (mineLines.join('\n') === otherLines.join('\n')) return undefined
  const only = (lines: readonly string[], others: readonly string[]) => {
    const own = lines.filter((line) => !others.includes(line))
    return own.length === 0 ? `${lines.length} lines and no other` : own.slice(0, 2).join(' ')
  }
  return [only(mineLines, otherLines), only(otherLines, mineLines)]
}

/** One line per movement, so that a message can name the one that differs. */
function linesOf(response: unknown): string[] {
  if (typeof response !== 'object' || response === null || !('deposits' in response)) return [textOf(response)]
  const { deposits, withdrawals, ...rest } = response as ChainMovements
  return [textOf(rest), ...deposits.map(textOf), ...withdrawals.map(textOf)]
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? each.toString() : each)) ?? 'nothing'
}

/** Adds the node's name to an error and keeps its kind and cause. */
function named(error: unknown, name: string): unknown {
  const message = `${name}: ${error instanceof Error ? error.message : String(error)}`
  if (error instanceof ChainFault) return new ChainFault(error.kind, message)
  if (error instanceof ChainBehind) return new ChainBehind(message)
  return new Error(message, { cause: error })
}
