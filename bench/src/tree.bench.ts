import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { BalanceTrees, CHANGE_BYTES, packChange } from '@clearwell/proofs/balance-trees'
import { formatTable } from '../../scripts/format-table.ts'
import { runCommand } from '../../scripts/run-command.ts'
import type { Bench } from './bench.ts'
import { endLater } from './clean-up.ts'
import { threadCpuMs } from './cpu.ts'
import { machine } from './machine.ts'
import { BENCH_ASSETS, benchAccount, PLACES, placeOf } from './tree-accounts.ts'
import { wholeNumber } from './whole-number.ts'

const MB = 1_048_576
/** Accounts that change in one update. */
const CHANGES = 1_024
/** Limits of the product. */
const MIN_TIMES_CHEAPER = 50
const MAX_MAIN_SHARE = 0.02
const MAX_WORKER_SHARE = 0.1
/** Accounts that change in a second, and the commits that bring them. */
const PER_SECOND = 1_000
const COMMITS_PER_SECOND = 50

export default {
  about:
    'updates of a users tree of 1,048,576 accounts beside a rebuild with the same root, the load of the leader and of the thread of the trees at 1,000 accounts a second, and memory by use (--accounts 1048576, --rounds 20, --seconds 20)',
  run: benchTree,
} satisfies Bench

async function benchTree(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      accounts: { type: 'string', default: `${PLACES}` },
      rounds: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '20' },
    },
  })
  const accounts = wholeNumber('--accounts', values.accounts)
  if (accounts > PLACES || accounts < PER_SECOND) throw new Error(`--accounts is ${PER_SECOND} to ${PLACES}`)
  console.log(machine())
  const update = measureUpdate(accounts, wholeNumber('--rounds', values.rounds))
  const live = await measureLive(accounts, wholeNumber('--seconds', values.seconds))
  const share = (value: number) => `${(100 * value).toFixed(2)} %`
  const verdict = (isKept: boolean) => (isKept ? 'within' : 'BEYOND')
  console.log(
    formatTable([
      ['figure', 'value', 'limit', ''],
      [`rebuild one tree of ${accounts} accounts, ms`, update.rebuildMs.toFixed(0), '', ''],
      [`${CHANGES} changes, median, ms`, update.changesMs.toFixed(1), '', ''],
      [
        'times cheaper, same root',
        update.times.toFixed(0),
        `${MIN_TIMES_CHEAPER}`,
        verdict(update.times >= MIN_TIMES_CHEAPER),
      ],
      ['main thread', share(live.main), share(MAX_MAIN_SHARE), verdict(live.main < MAX_MAIN_SHARE)],
      ['thread of four trees', share(live.worker), share(MAX_WORKER_SHARE), verdict(live.worker < MAX_WORKER_SHARE)],
    ]),
  )
  console.log(`The load is processor time at ${PER_SECOND} accounts a second, one header a second.`)
  for (const count of [1_000, 10_000, 100_000, PLACES]) console.log(await memoryOf(count))
}

/** Compares updates of one tree with a rebuild from the same figures. @throws Error if the roots differ. */
function measureUpdate(accounts: number, rounds: number) {
  const asset = BENCH_ASSETS.slice(0, 1)
  const units = Array.from({ length: accounts }, (_, index) => BigInt(index) + 1n)
  const trees = newTrees(asset, units)
  trees.heads()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const changed = Array.from({ length: CHANGES }, (_, index) => (round * 7_919 + index * 1_013) % accounts)
    for (const index of changed) units[index] = (units[index] as bigint) + 10n ** 18n
    const startedMs = performance.now()
    trees.change(packed(changed.map((index) => ({ index, asset: 0, free: units[index] as bigint }))))
    trees.heads()
    times.push(performance.now() - startedMs)
  }
  const again = newTrees(asset, units)
  const startedMs = performance.now()
  const rebuilt = again.heads()
  const rebuildMs = performance.now() - startedMs
  if (!rebuilt[0]?.root.equals(trees.heads()[0]?.root as Buffer)) throw new Error('a rebuild leads to another root')
  const changesMs = times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] as number
  return { rebuildMs, changesMs, times: rebuildMs / changesMs }
}

/** Measures the shares of a core that both threads use while accounts change. */
async function measureLive(accounts: number, seconds: number) {
  console.log(`… building four trees in a thread, then ${seconds} s of changes`)
  const worker = new Worker(new URL('./tree.worker.ts', import.meta.url), { workerData: accounts })
  endLater(() => worker.terminate())
  const [before] = (await once(worker, 'message')) as [{ cpuMs: number }]
  let [mainMs, workerMs, next] = [0, before.cpuMs, 0]
  const startedMs = performance.now()
  for (let second = 0; second < seconds; second++) {
    for (let commit = 0; commit < COMMITS_PER_SECOND; commit++) {
      const dueMs = startedMs + 1_000 * (second + commit / COMMITS_PER_SECOND)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
      const cpuMs = threadCpuMs()
      const changes = Array.from({ length: PER_SECOND / COMMITS_PER_SECOND }, () => {
        next = (next + 1_013) % accounts
        return { index: next, asset: next % BENCH_ASSETS.length, free: BigInt(second) * 10n ** 18n }
      })
      const bytes = packed(changes)
      worker.postMessage(bytes, [bytes.buffer as ArrayBuffer])
      if (commit === COMMITS_PER_SECOND - 1) worker.postMessage('heads')
      mainMs += threadCpuMs() - cpuMs
    }
    const [report] = (await once(worker, 'message')) as [{ cpuMs: number }]
    workerMs = report.cpuMs
  }
  const wallMs = performance.now() - startedMs
  await worker.terminate()
  return { main: mainMs / wallMs, worker: (workerMs - before.cpuMs) / wallMs }
}

/** Measures the memory of all trees in a process that has nothing else. */
async function memoryOf(accounts: number): Promise<string> {
  const script = fileURLToPath(new URL('./tree-memory.process.ts', import.meta.url))
  const flags = ['--expose-gc', '--max-semi-space-size=8', script, `${accounts}`]
  const { exitCode, stdout } = await runCommand(process.execPath, flags, { cwd: import.meta.dirname, output: 'keep' })
  if (exitCode !== 0) throw new Error('the process that measures memory failed')
  const { grown, reserved } = JSON.parse(stdout) as { grown: number; reserved: number }
  return `memory of four trees with ${accounts} accounts: ${(grown / MB).toFixed(0)} MB in use, ${(reserved / MB).toFixed(0)} MB reserved`
}

function newTrees(assets: typeof BENCH_ASSETS, units: readonly bigint[]): BalanceTrees {
  const trees = new BalanceTrees(assets)
  for (let index = 0; index < units.length; index++) trees.place(benchAccount(index))
  trees.change(packed(units.map((free, index) => ({ index, asset: 0, free }))))
  return trees
}

function packed(changes: readonly { index: number; asset: number; free: bigint }[]): Buffer {
  // Its own buffer, not a part of a shared one, so that it can move to another thread.
  const bytes = Buffer.from(new ArrayBuffer(changes.length * CHANGE_BYTES))
  for (const [at, { index, asset, free }] of changes.entries())
    packChange({ place: placeOf(index), asset, free, depositedSeen: free, paidSeen: 0n }, bytes, at * CHANGE_BYTES)
  return bytes
}
