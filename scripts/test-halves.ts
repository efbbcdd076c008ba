import { runCommand } from './run-command.ts'

/**
 * Long tests that no row of the specification needs. All of them would take `npm test` beyond what CI has, so each run takes one
 * half, chosen by the commit: a fault that only they notice is found a commit or two later. Runs of single stages and files, and
 * `npm run nightly`, take both.
 *
 * The halves take about the same time. A file belongs here if it takes more than twenty seconds of a processor and shorter tests
 * show the parts of what it shows.
 */
const LONG_TESTS = {
  a: [
    'e2e/journeys/balance-check.test.ts',
    'e2e/journeys/custody-stops.test.ts',
    'e2e/journeys/keyboard.test.ts',
    'e2e/journeys/narrow-screens.test.ts',
    'e2e/journeys/plan.test.ts',
    'e2e/journeys/push.test.ts',
    'e2e/journeys/vault-with-exits.test.ts',
    'sim/src/leave/leave-all.test.ts',
    'sim/src/restore-own-tools.test.ts',
    'sim/src/withdrawal-kill.test.ts',
  ],
  b: [
    'e2e/journeys/exit-kit.test.ts',
    'e2e/journeys/lost-response.test.ts',
    'e2e/journeys/market-control.test.ts',
    'e2e/journeys/network.test.ts',
    'e2e/journeys/open-screens.test.ts',
    'e2e/journeys/paths.test.ts',
    'e2e/journeys/taps.test.ts',
    'e2e/journeys/under-the-hand.test.ts',
    'sim/src/drills/drills.test.ts',
    'sim/src/leave/real-servers.test.ts',
    'sim/src/replica-reads.test.ts',
    'sim/src/proxy/rolling-restart.test.ts',
  ],
} as const

export type Half = keyof typeof LONG_TESTS

/** The half that a commit selects: by the parity of its hash. @param commit hexadecimal. */
export function halfOfCommit(commit: string): Half {
  return Number.parseInt(commit.at(-1) ?? '0', 16) % 2 === 0 ? 'a' : 'b'
}

/** The half of this checkout's commit; both where Git or the commit is missing. */
export async function halfOfCheckout(root: string): Promise<Half | undefined> {
  const { exitCode, stdout } = await runCommand('git', ['rev-parse', 'HEAD'], { cwd: root, output: 'keep' })
  return exitCode === 0 ? halfOfCommit(stdout.trim()) : undefined
}

/** The half that this process runs, from `TEST_HALF`; both where it is not set. @throws Error for another value. */
export function halfToRun(env: NodeJS.ProcessEnv = process.env): Half | undefined {
  const { TEST_HALF: half } = env
  if (half === undefined || half === '' || half === 'a' || half === 'b') return half || undefined
  throw new Error(`TEST_HALF must be a or b, not ${JSON.stringify(half)}`)
}

/** The long tests that a run of this half leaves out, as paths from a folder of the repository. */
export function leftOut(half: Half | undefined, folder: string): string[] {
  if (half === undefined) return []
  return LONG_TESTS[half === 'a' ? 'b' : 'a'].flatMap((path) =>
    path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
  )
}

/** Of things that one test looks at in turn, those of this half. */
export function ofThisHalf<T>(all: readonly T[], env: NodeJS.ProcessEnv = process.env): T[] {
  const half = halfToRun(env)
  return all.filter((_each, i) => half === undefined || (i % 2 === 0) === (half === 'a'))
}
