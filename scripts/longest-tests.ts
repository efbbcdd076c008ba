import { join, relative } from 'node:path'

interface TimedTest {
  readonly file: string
  readonly title: string
  readonly ms: number
}

/** The tests of Vitest's JSON report with their times. */
export function vitestTimes(json: string, root: string): TimedTest[] {
  const { testResults } = JSON.parse(json) as {
    testResults: { name: string; assertionResults: { title: string; duration?: number }[] }[]
  }
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, duration = 0 }) => ({ file: pathFrom(root, name), title, ms: duration })),
  )
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs?: readonly { title: string; file: string; tests: { results: { duration: number }[] }[] }[]
}

/** The tests of Playwright's JSON report with their times. */
export function playwrightTimes(json: string, root: string): TimedTest[] {
  const report = JSON.parse(json) as PlaywrightSuite & { config: { rootDir: string } }
  const timesOf = ({ suites = [], specs = [] }: PlaywrightSuite): TimedTest[] => [
    ...specs.map(({ title, file, tests }) => ({
      file: pathFrom(root, join(report.config.rootDir, file)),
      title,
      ms: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
    })),
    ...suites.flatMap(timesOf),
  ]
  return timesOf(report)
}

/** One line for each of the longest tests, longest first. */
export function describeLongest(tests: readonly TimedTest[], count: number): string[] {
  return tests
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ file, title, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${file}  ${title}`)
}

function pathFrom(root: string, file: string): string {
  return relative(root, file).replaceAll('\\', '/')
}
