import type { Queryable } from '@clearwell/ledger/database'
import { Refusal } from '@clearwell/ledger/refusal'
import { loanRatioNodes } from './lending.tables.ts'
import { type LossQuestion, sumKnownLoss } from './ratio-books.ts'

/** A node that has to be read first. */
class NotRead extends Error {
  readonly id: string
  constructor(id: string) {
    super(id)
    this.id = id
  }
}

/**
 * Reads what the orders of a pool would lose if they were cleared now, outside a decision: a node for each level of the index.
 *
 * @returns `undefined` where a pair with orders never had a price: then nothing is known.
 */
export async function readKnownLossNow(tx: Queryable, question: LossQuestion): Promise<bigint | undefined> {
  const nodes = new Map<string, string | undefined>()
  const read = (id: string) => {
    if (!nodes.has(id)) throw new NotRead(id)
    return nodes.get(id)
  }
  for (;;) {
    try {
      return sumKnownLoss({ read }, question)
    } catch (error) {
      if (error instanceof Refusal) return undefined
      if (!(error instanceof NotRead)) throw error
      const [row] = await loanRatioNodes.load(tx, [error.id])
      nodes.set(error.id, row?.body)
    }
  }
}
