import { BalanceTrees } from '@clearwell/proofs/balance-trees'
import { BENCH_ASSETS, benchAccount } from './tree-accounts.ts'

/** Prints how much the process grew by the trees of so many accounts, in bytes, and how many bytes they reserve. Needs `--expose-gc`. */
const accounts = Number(process.argv[2])
const collect = () => (globalThis as unknown as { gc(): void }).gc()
collect()
const before = process.memoryUsage.rss()
const trees = new BalanceTrees(BENCH_ASSETS)
for (let index = 0; index < accounts; index++) {
  trees.place(benchAccount(index))
  // Few at a time, as accounts come in the product.
  if (index % 10_000 === 0) trees.heads()
}
trees.heads()
collect()
process.stdout.write(JSON.stringify({ grown: process.memoryUsage.rss() - before, reserved: trees.bytes }))
