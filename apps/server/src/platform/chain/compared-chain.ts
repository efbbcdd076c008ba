import type { Chain, ChainBlock, ChainMovements, TransactionMovements } from './chain.ts'
import { ChainBehind, ChainDisagreement, ChainFault } from './chain-fault.ts'

/** How far apart two honest nodes may be for a moment, in blocks. */
const MAX_APART = 20n
/** So many heads in a row must be further apart before it is told of. */
const APART_HEADS = 20
/** How many blocks below its head a node is asked for the block that the other has too: forks of the tip are shorter. */
const TIP_DEPTH = 5n
/** How often what changes between two questions is asked for again before it counts as a disagreement. */
const ATTEMPTS = 3

export interface ComparedChainOptions {
  readonly primary: Chain
  readonly second: Chain
  /** What to call them towards the operator. */
  readonly names: readonly [primary: string, second: string]
  /** Told once when one node falls behind the other and stays there. Not an error of any question. */
  readonly onAlarm: (error: Error) => void
}

/**
 * A chain on which two nodes must agree: a reply in which they differ reaches nobody.
 *
 * @throws ChainDisagreement, and whatever one of the two throws, with its name in the message.
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
  }
}

/** Asks both nodes the same. */
function createComparison({ primary, second, names }: ComparedChainOptions) {
  async function both<Answer>(ask: (chain: Chain) => Promise<Answer>): Promise<[Answer, Answer]> {
    const [mine, other] = await Promise.allSettled([ask(primary), ask(second)])
    if (mine.status === 'rejected') throw named(mine.reason, names[0])
    if (other.status === 'rejected') throw named(other.reason, names[1])
    return [mine.value, other.value]
  }

  /**
   * The reply on which both agree, asked for again while a new block or a reorg gets in between. One node may get later
   * what it lacks now: until then the reply is that neither has it.
   */
  async function agreed<Answer>(
    about: string,
    what: string,
    ask: (chain: Chain) => Promise<Answer>,
    isLacking: (answer: Answer) => boolean = () => false,
  ): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const [mine, other] = await both(ask)
      if (isLacking(mine)) return mine
      if (isLacking(other)) return other
      const difference = differenceOf(mine, other)
      if (difference === undefined) return mine
      if (attempt < ATTEMPTS) continue
      const said = `${names[0]} says ${difference[0]}, ${names[1]} says ${difference[1]}`
      throw new ChainDisagreement(about, `the nodes differ about ${what}: ${said}`)
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

/** The highest block near the lower node's head that both have. The tip may be forked for a moment. */
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

/** What each says that the other does not, or nothing where they are alike. */
function differenceOf(mine: unknown, other: unknown): [string, string] | undefined {
  const [mineLines, otherLines] = [linesOf(mine), linesOf(other)]
  if (mineLines.join('\n') === otherLines.join('\n')) return undefined
  const only = (lines: readonly string[], others: readonly string[]) => {
    const own = lines.filter((line) => !others.includes(line))
    return own.length === 0 ? `${lines.length} lines and no other` : own.slice(0, 2).join(' ')
  }
  return [only(mineLines, otherLines), only(otherLines, mineLines)]
}

/** Movements line by line, so that the one that differs can be named. */
function linesOf(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null || !('deposits' in answer)) return [textOf(answer)]
  const { deposits, withdrawals, ...rest } = answer as ChainMovements
  return [textOf(rest), ...deposits.map(textOf), ...withdrawals.map(textOf)]
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? each.toString() : each)) ?? 'nothing'
}

/** The same error, that says which node it is of; its kind and its cause stay. */
function named(error: unknown, name: string): unknown {
  const message = `${name}: ${error instanceof Error ? error.message : String(error)}`
  if (error instanceof ChainFault) return new ChainFault(error.kind, message)
  if (error instanceof ChainBehind) return new ChainBehind(message)
  return new Error(message, { cause: error })
}
