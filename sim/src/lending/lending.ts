import { parseArgs } from 'node:util'
import { formatUnits } from '@clearwell/money/decimal'
import { RatioIndex } from '@clearwell/rules/ratio-index'
import { LENDING_PROPERTIES, type LendingProperty } from '@clearwell/rules/testing/lending-properties'
import { MemoryNodes } from '@clearwell/rules/testing/memory-nodes'
import fc from 'fast-check'
import { formatTable } from '../../../scripts/format-table.ts'
import { wholeNumber } from '../whole-number.ts'

/**
 * `npm run sim -- lending`: tries each property of the lending rules on random sequences of commands, and prints the largest gain of
 * an attacker that it saw. Throws at the first sequence that breaks a property, with the shortest one found.
 */
export function simLending(args: string[]): void {
  const { values } = parseArgs({
    args,
    options: {
      sequences: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
    },
  })
  const [sequences, seed] = [wholeNumber('--sequences', values.sequences), wholeNumber('--seed', values.seed)]
  const chosen = Object.entries(LENDING_PROPERTIES).filter(([name]) => name.includes(values.only))
  const each = Math.ceil(sequences / chosen.length)
  const rows = chosen.map(([name, property]) => {
    const { counted, largest, seconds } = tryProperty(property, { numRuns: each, seed })
    console.log(`… ${name}: ${counted} sequences in ${seconds.toFixed(0)} s`)
    return [property.name, String(counted), formatUnits(largest, 18), `${seconds.toFixed(0)} s`]
  })
  console.log(`\n${formatTable([['property', 'sequences', 'largest gain in USDT', 'time'], ...rows])}`)
  console.log(
    `\n${formatTable([['open orders', 'nodes read for the known loss', 'written for an order'], ...indexRows()])}`,
  )
}

function tryProperty(
  property: LendingProperty,
  { numRuns, seed }: { readonly numRuns: number; readonly seed: number },
): { readonly counted: number; readonly largest: bigint; readonly seconds: number } {
  const startedMs = performance.now()
  let counted = 0
  let largest: bigint | undefined
  const record = (gain: bigint) => {
    counted++
    if (largest === undefined || gain > largest) largest = gain
  }
  fc.assert(property.of(record), { numRuns, seed })
  return { counted, largest: largest ?? 0n, seconds: (performance.now() - startedMs) / 1_000 }
}

/** Counts the nodes of the ratio index that one decision reads and writes, in books of any ratio. */
function indexRows(): string[][] {
  return [1_000, 10_000, 100_000].map((orders) => {
    const nodes = new MemoryNodes()
    const all = new RatioIndex(nodes, 'BNB:USDT')
    for (let id = 0; id < orders; id++)
      all.insert({ id: `order-${id}`, collateral: BigInt(1 + ((id * 7_919) % 104_729)), debtShares: 50_000n })
    nodes.write(all.changes())
    nodes.reads = 0
    new RatioIndex(nodes, 'BNB:USDT').sumBelow({ top: 1n, bottom: 1n })
    const index = new RatioIndex(nodes, 'BNB:USDT')
    const { reads } = nodes
    index.insert({ id: 'new', collateral: 50_000n, debtShares: 50_000n })
    return [String(orders), String(reads), String(index.changes().length)]
  })
}
