import { createHash } from 'node:crypto'
import type { AssetId } from '@clearwell/money/asset'
import type { Chain, ChainBlock, ChainMovements, TransactionMovements } from '../chain.ts'

/** A payment as it is sent. It keeps its transaction hash when a reorg removes it and it is mined again. */
export interface SimulatedPayment {
  readonly kind: 'payment'
  readonly txHash: string
  readonly account: string
  readonly asset: AssetId
  readonly units: bigint
  readonly orderId: string | null
}

/** A voucher as it is submitted to the vault. It keeps its transaction hash, like a payment. */
export interface SimulatedWithdrawal {
  readonly kind: 'withdrawal'
  readonly txHash: string
  readonly account: string
  readonly asset: AssetId
  readonly units: bigint
  readonly nonce: bigint
}

export type SimulatedTransaction = SimulatedPayment | SimulatedWithdrawal

export type ChainQuestion =
  | 'head'
  | 'block'
  | 'movements'
  | 'movementsOf'
  | 'vaultHolding'
  | 'isNonceUsed'
  | 'vaultState'

/** The simulated twin of a node: tests mine its blocks and can remove them again. */
export interface SimulatedChain extends Chain {
  /** Adds a block with these payments and withdrawals. */
  mine(...transactions: readonly SimulatedTransaction[]): ChainBlock
  /** Adds empty blocks and returns the last. */
  mineEmpty(count: number): ChainBlock
  /** Adds a block with a failed transaction that changes nothing in the vault. Returns the transaction's hash. */
  mineFailure(): string
  /** Removes the last blocks: the chain is shorter until others are mined, which have other hashes. */
  reorg(depth: number): readonly SimulatedTransaction[]
  /** Gives the next block this time, or one block interval after the last block if that is later. */
  moveTo(time: Date): void
  /** Changes the vault's own switches. */
  setVaultState(state: { isPaused?: boolean; signer?: string }): void
  /** Runs before each response, so that the chain can change between two requests. */
  beforeResponse: ((question: ChainQuestion) => unknown) | undefined
  /** The ranges requested from `movements`, in order. */
  readonly askedRanges: readonly { readonly from: bigint; readonly to: bigint }[]
  /** The number of calls of each kind. */
  readonly askedCount: Readonly<Record<ChainQuestion, number>>
}

interface SimulatedBlock extends ChainBlock {
  readonly transactions: readonly SimulatedTransaction[]
  readonly failed: readonly string[]
}

/** Creates a payment of an account, with a transaction hash derived from `name`. */
export function simulatedPayment(
  name: string,
  payment: { account: string; asset: AssetId; units: bigint; orderId?: string },
): SimulatedPayment {
  return { kind: 'payment', orderId: null, ...payment, txHash: `0x${sha256(`transaction ${name}`)}` }
}

/** Creates a voucher's payment to an account, with a transaction hash derived from `name`. */
export function simulatedWithdrawal(
  name: string,
  withdrawal: { account: string; asset: AssetId; units: bigint; nonce: bigint },
): SimulatedWithdrawal {
  return { kind: 'withdrawal', ...withdrawal, txHash: `0x${sha256(`transaction ${name}`)}` }
}

/**
 * Creates a chain with its first block, number 0.
 *
 * @param options.startTime the first block's time.
 * @param options.blockMs the least time between a block and its parent.
 */
export function createSimulatedChain(
  id: number,
  options: { startTime?: Date; blockMs?: number; signer?: string } = {},
): SimulatedChain {
  const { startTime = new Date('2026-01-01T00:00:00Z'), blockMs = 1_000, signer = `0x${'5'.repeat(40)}` } = options
  const blocks = new SimulatedBlocks(startTime, blockMs)
  const askedRanges: { from: bigint; to: bigint }[] = []
  const askedCount = noQuestions()
  let vaultState = { isPaused: false, signer }

  async function asked(question: ChainQuestion): Promise<void> {
    askedCount[question]++
    await chain.beforeResponse?.(question)
  }

  const chain: SimulatedChain = {
    id,
    beforeResponse: undefined,
    askedRanges,
    askedCount,
    mine: (...transactions) => blocks.add(transactions),
    mineEmpty: (count) => blocks.addEmpty(count),
    mineFailure: () => blocks.addFailure(),
    reorg: (depth) => blocks.takeAway(depth),
    moveTo: (time) => blocks.moveTo(time),
    setVaultState(state) {
      vaultState = { ...vaultState, ...state }
    },
    async head() {
      await asked('head')
      return blocks.last()
    },
    async block(number) {
      await asked('block')
      return blocks.at(number)
    },
    async movements({ from, to }) {
      askedRanges.push({ from, to })
      await asked('movements')
      return blocks.movements({ from, to })
    },
    async movementsOf(txHash) {
      await asked('movementsOf')
      return blocks.movementsOf(txHash)
    },
    async vaultHolding(asset, at) {
      await asked('vaultHolding')
      return blocks.holding(asset, at)
    },
    async isNonceUsed(nonce, at) {
      await asked('isNonceUsed')
      return blocks.isNonceUsed(nonce, at)
    },
    async vaultState() {
      await asked('vaultState')
      return vaultState
    },
  }
  return chain
}

const noQuestions = (): Record<ChainQuestion, number> => ({
  head: 0,
  block: 0,
  movements: 0,
  movementsOf: 0,
  vaultHolding: 0,
  isNonceUsed: 0,
  vaultState: 0,
})

/** The blocks of a chain, and the state of the vault in them. */
class SimulatedBlocks {
  readonly #blocks: SimulatedBlock[] = []
  readonly #blockMs: number
  #earliestMs: number
  #forks = 0
  #failures = 0

  constructor(startTime: Date, blockMs: number) {
    this.#earliestMs = startTime.getTime()
    this.#blockMs = blockMs
    this.add([])
  }

  add(transactions: readonly SimulatedTransaction[], failed: readonly string[] = []): ChainBlock {
    const number = BigInt(this.#blocks.length)
    const parent = this.#blocks.at(-1)
    const content = transactions.map((transaction) => transaction.txHash).join()
    const time = new Date(Math.max(this.#earliestMs, (parent?.time.getTime() ?? 0) + this.#blockMs))
    const hash = `0x${sha256(`${parent?.hash ?? ''} ${this.#forks} ${number} ${content}`)}`
    const used = new Set(this.#blocks.flatMap(noncesOf))
    for (const nonce of noncesOf({ transactions })) {
      if (used.has(nonce)) throw new Error(`the vault has paid the voucher ${nonce} already`)
      used.add(nonce)
    }
    const block = { number, hash, time, transactions, failed }
    this.#blocks.push(block)
    return blockOf(block)
  }

  addEmpty(count: number): ChainBlock {
    let last = this.add([])
    for (let made = 1; made < count; made++) last = this.add([])
    return last
  }

  addFailure(): string {
    const txHash = `0x${sha256(`failure ${this.#failures++}`)}`
    this.add([], [txHash])
    return txHash
  }

  takeAway(depth: number): SimulatedTransaction[] {
    this.#forks++
    return this.#blocks.splice(this.#blocks.length - depth).flatMap((block) => block.transactions)
  }

  moveTo(time: Date): void {
    this.#earliestMs = time.getTime()
  }

  last(): ChainBlock {
    return blockOf(this.#blocks.at(-1) as SimulatedBlock)
  }

  at(number: bigint): ChainBlock | undefined {
    const block = this.#blocks[Number(number)]
    return block && blockOf(block)
  }

  movements({ from, to }: { from: bigint; to: bigint }): ChainMovements {
    return movementsIn(this.#blocks.slice(Number(from), Number(to) + 1))
  }

  movementsOf(txHash: string): TransactionMovements {
    const block = this.#blocks.find(
      ({ transactions, failed }) => failed.includes(txHash) || transactions.some((each) => each.txHash === txHash),
    )
    if (!block) return { status: 'not_found' }
    if (block.failed.includes(txHash)) return { status: 'failed' }
    return { status: 'mined', block: blockOf(block), ...movementsIn([block], txHash) }
  }

  holding(asset: AssetId, at: bigint): bigint {
    return this.#upTo(at)
      .flatMap((block) => block.transactions)
      .filter((transaction) => transaction.asset === asset)
      .reduce((sum, { kind, units }) => (kind === 'payment' ? sum + units : sum - units), 0n)
  }

  isNonceUsed(nonce: bigint, at: bigint): boolean {
    return this.#upTo(at).some((block) => noncesOf(block).includes(nonce))
  }

  #upTo(at: bigint): SimulatedBlock[] {
    return this.#blocks.slice(0, Number(at) + 1)
  }
}

/** The movements in these blocks, or only those of one transaction. */
function movementsIn(blocks: readonly SimulatedBlock[], txHash?: string): ChainMovements {
  const placed = blocks.flatMap(({ transactions, number, hash }) =>
    transactions
      .map((transaction, logIndex) => ({ transaction, place: { logIndex, blockNumber: number, blockHash: hash } }))
      .filter(({ transaction }) => txHash === undefined || transaction.txHash === txHash),
  )
  return {
    deposits: placed.flatMap(({ transaction, place }) => {
      if (transaction.kind !== 'payment') return []
      const { kind: _kind, ...payment } = transaction
      return [{ ...payment, ...place }]
    }),
    withdrawals: placed.flatMap(({ transaction, place }) => {
      if (transaction.kind !== 'withdrawal') return []
      const { kind: _kind, ...withdrawal } = transaction
      return [{ ...withdrawal, ...place }]
    }),
  }
}

function noncesOf({ transactions }: { readonly transactions: readonly SimulatedTransaction[] }): bigint[] {
  return transactions.flatMap((transaction) => (transaction.kind === 'withdrawal' ? [transaction.nonce] : []))
}

function blockOf({ number, hash, time }: SimulatedBlock): ChainBlock {
  return { number, hash, time }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
