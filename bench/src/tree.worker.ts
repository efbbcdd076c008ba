import { parentPort, workerData } from 'node:worker_threads'
import { BalanceTrees } from '@clearwell/proofs/balance-trees'
import { threadCpuMs } from './cpu.ts'
import { BENCH_ASSETS, benchAccount } from './tree-accounts.ts'

/** Holds the trees of so many accounts: takes changes, and responds to each request for the heads. */
const trees = new BalanceTrees(BENCH_ASSETS)
const accounts = workerData as number
for (let index = 0; index < accounts; index++) trees.place(benchAccount(index))
trees.heads()

parentPort?.on('message', (message: Uint8Array | 'heads') => {
  if (message !== 'heads') return trees.change(Buffer.from(message.buffer, message.byteOffset, message.byteLength))
  const roots = trees.heads().map(({ root }) => root.toString('hex'))
  parentPort?.postMessage({ roots, cpuMs: threadCpuMs() })
})
parentPort?.postMessage({ roots: [], cpuMs: threadCpuMs() })
