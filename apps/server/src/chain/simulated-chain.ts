import { createHash } from 'node:crypto'
import type { AssetId } from '@clearwell/money/asset'
import type { Chain, ChainBlock, ChainDeposit } from './chain.ts'

/** A payment as it is sent; it keeps its transaction hash when a reorganisation takes it out and it is mined again. */
export interface SimulatedPayment {
  readonly txHash: string
  readonly account: string
  readonly asset: AssetId
  readonly units: bigint
  readonly orderId: string | null
}

export type ChainQuestion = 'head' | 'block' | 'deposits' | 'depositsOf'

/** The simulated twin of a node: blocks that exist because a test mines them, and that a test can take away again. */
export interface SimulatedChain extends Chain {
  /** Adds a block with these payments. */
  mine(...payments: readonly SimulatedPayment[]): ChainBlock
  /** Adds empty blocks and answers the last. */
  mineEmpty(count: number): ChainBlock
  /** A block without any change to the vault whose transaction failed. Answers its hash. */
  mineFailure(): string
  /** Takes the last blocks away: the chain is shorter until others are mined, which have other hashes. */
  reorg(depth: number): readonly SimulatedPayment[]
  /** Runs before each answer, so that the chain can change between two questions. */
  beforeAnswer: ((question: ChainQuestion) => unknown) | undefined
  /** What was asked of `deposits`, in order. */
  readonly askedRanges: readonly { readonly from: bigint; readonly to: bigint }[]
  /** How often each question was asked. */
  readonly askedCount: Readonly<Record<ChainQuestion, number>>
}

interface SimulatedBlock extends ChainBlock {
  readonly payments: readonly SimulatedPayment[]
  readonly failed: readonly string[]
}

/** A payment of an account, under a transaction hash that `name` alone decides. */
export function simulatedPayment(
  name: string,
  payment: { account: string; asset: AssetId; units: bigint; orderId?: string },
): SimulatedPayment {
  return { orderId: null, ...payment, txHash: `0x${sha256(`transaction ${name}`)}` }
}

/** A chain with a first block, number 0. */
export function createSimulatedChain(id: number): SimulatedChain {
  const blocks: SimulatedBlock[] = []
  const askedRanges: { from: bigint; to: bigint }[] = []
  const askedCount = { head: 0, block: 0, deposits: 0, depositsOf: 0 }
  let forks = 0
  let failures = 0

  function add(payments: readonly SimulatedPayment[], failed: readonly string[] = []): ChainBlock {
    const number = BigInt(blocks.length)
    const parent = blocks.at(-1)?.hash ?? ''
    const content = payments.map((payment) => payment.txHash).join()
    const block = { number, hash: `0x${sha256(`${parent} ${forks} ${number} ${content}`)}`, payments, failed }
    blocks.push(block)
    return { number, hash: block.hash }
  }

  function depositsIn(block: SimulatedBlock): ChainDeposit[] {
    return block.payments.map((payment, logIndex) => ({
      ...payment,
      logIndex,
      blockNumber: block.number,
      blockHash: block.hash,
    }))
  }

  async function asked(question: ChainQuestion): Promise<void> {
    askedCount[question]++
    await chain.beforeAnswer?.(question)
  }

  const chain: SimulatedChain = {
    id,
    beforeAnswer: undefined,
    askedRanges,
    askedCount,
    mine: (...payments) => add(payments),
    mineEmpty(count) {
      let last = add([])
      for (let made = 1; made < count; made++) last = add([])
      return last
    },
    mineFailure() {
      const txHash = `0x${sha256(`failure ${failures++}`)}`
      add([], [txHash])
      return txHash
    },
    reorg(depth) {
      forks++
      return blocks.splice(blocks.length - depth).flatMap((block) => block.payments)
    },
    async head() {
      await asked('head')
      const { number, hash } = blocks.at(-1) as SimulatedBlock
      return { number, hash }
    },
    async block(number) {
      await asked('block')
      const block = blocks[Number(number)]
      return block && { number: block.number, hash: block.hash }
    },
    async deposits({ from, to }) {
      askedRanges.push({ from, to })
      await asked('deposits')
      return blocks.slice(Number(from), Number(to) + 1).flatMap(depositsIn)
    },
    async depositsOf(txHash) {
      await asked('depositsOf')
      const block = blocks.find(
        ({ payments, failed }) => failed.includes(txHash) || payments.some((payment) => payment.txHash === txHash),
      )
      if (!block) return { status: 'not_found' }
      if (block.failed.includes(txHash)) return { status: 'failed' }
      const deposits = depositsIn(block).filter((deposit) => deposit.txHash === txHash)
      return { status: 'mined', block: { number: block.number, hash: block.hash }, deposits }
    },
    async vaultHolding(asset) {
      const payments = blocks.flatMap((block) => block.payments).filter((payment) => payment.asset === asset)
      return payments.reduce((sum, payment) => sum + payment.units, 0n)
    },
  }
  add([])
  return chain
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
