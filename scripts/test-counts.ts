/** How many tests ran, of one runner or of all. */
export interface TestCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export const NO_TESTS: TestCounts = { passed: 0, failed: 0, skipped: 0 }

/** A failure outside any test: a runner that crashed, a stage that ran nothing. */
export const ONE_FAILURE: TestCounts = { passed: 0, failed: 1, skipped: 0 }

export function addCounts(a: TestCounts, b: TestCounts): TestCounts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

/** The last line of `npm test`: `12 passed, 0 failed`, with `, 3 skipped` only where some were. */
export function lastLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * Counts the results of one stage. A runner that fails without a failed test, or that runs none, counts as one failure,
 * because a stage must not pass by doing nothing.
 */
export function stageCounts(exitCode: number, counts: TestCounts | undefined): TestCounts {
  if (counts === undefined || counts.passed + counts.failed === 0) return addCounts(counts ?? NO_TESTS, ONE_FAILURE)
  return exitCode !== 0 && counts.failed === 0 ? addCounts(counts, ONE_FAILURE) : counts
}

/** Counts of Vitest's JSON report. A file that could not be loaded has no test to fail and counts as one failure. */
export function vitestCounts(json: string): TestCounts {
  const report = JSON.parse(json) as {
    numPassedTests: number
    numFailedTests: number
    numPendingTests: number
    numTodoTests: number
    testResults: { status: string; assertionResults: { status: string }[] }[]
  }
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

export interface ForgeReport extends TestCounts {
  /** One line for each failed test: the contract, the test and why. */
  readonly failures: readonly string[]
}

/** Counts of `forge test --json`: contracts with their tests. */
export function forgeCounts(json: string): ForgeReport {
  const report = JSON.parse(json) as Record<
    string,
    { test_results: Record<string, { status: string; reason: string | null; counterexample: unknown }> }
  >
  const tests = Object.entries(report).flatMap(([contract, { test_results }]) =>
    Object.entries(test_results).map(([test, result]) => ({ name: `${contract} ${test}`, ...result })),
  )
  const failed = tests.filter(({ status }) => status !== 'Success' && status !== 'Skipped')
  return {
    passed: tests.filter(({ status }) => status === 'Success').length,
    failed: failed.length,
    skipped: tests.filter(({ status }) => status === 'Skipped').length,
    failures: failed.map(({ name, reason, counterexample }) => {
      const example = counterexample ? ` with ${JSON.stringify(counterexample)}` : ''
      return `${name}: ${reason ?? 'failed'}${example}`
    }),
  }
}

/** Counts of Playwright's JSON report. */
export function playwrightCounts(json: string): TestCounts {
  const { stats, errors } = JSON.parse(json) as {
    stats: { expected: number; unexpected: number; skipped: number }
    errors: unknown[]
  }
  return {
    passed: stats.expected,
    failed: stats.unexpected + (stats.unexpected === 0 ? errors.length : 0),
    skipped: stats.skipped,
  }
}
