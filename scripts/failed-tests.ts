import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

interface FailedTest {
  readonly file: string
  readonly title: string
  readonly message: string
}

/** The failed tests of Vitest's JSON report. A file that could not be loaded is listed without a title. */
export function vitestFailures(json: string, root: string): FailedTest[] {
  const { testResults } = JSON.parse(json) as {
    testResults: {
      name: string
      status: string
      message?: string
      assertionResults: { title: string; status: string; failureMessages?: string[] | null }[]
    }[]
  }
  return testResults.flatMap(({ name, status, message = '', assertionResults }) => {
    const file = pathFrom(root, name)
    const found = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ title, failureMessages }) => ({ file, title, message: (failureMessages ?? []).join('\n') }))
    return status === 'failed' && found.length === 0 ? [{ file, title: '', message }] : found
  })
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs?: readonly {
    title: string
    file: string
    tests: { status: string; results: { errors?: readonly { message?: string }[] }[] }[]
  }[]
}

/** The failed tests of Playwright's JSON report with their messages. */
export function playwrightFailures(json: string, root: string): FailedTest[] {
  const report = JSON.parse(json) as PlaywrightSuite & {
    config: { rootDir: string }
    errors?: readonly { message?: string }[]
  }
  const failuresOf = ({ suites = [], specs = [] }: PlaywrightSuite): FailedTest[] => [
    ...specs.flatMap(({ title, file, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected')
        .map(({ results }) => ({
          file: pathFrom(root, join(report.config.rootDir, file)),
          title,
          message: messageOf(results.findLast(({ errors }) => errors?.length)?.errors),
        })),
    ),
    ...suites.flatMap(failuresOf),
  ]
  const outsideTests = report.errors?.length
    ? [{ file: pathFrom(root, report.config.rootDir), title: '', message: messageOf(report.errors) }]
    : []
  return [...failuresOf(report), ...outsideTests]
}

/** A paragraph for each failed test: its file, its title and the first lines of its message. */
export function describeFailures(tests: readonly FailedTest[], maxLines: number): string[] {
  return tests.flatMap(({ file, title, message }) => {
    const lines = stripVTControlCharacters(message).trim().split('\n').slice(0, maxLines)
    return [`FAIL  ${file}  ${title}`.trimEnd(), ...lines.map((line) => `  ${line}`.trimEnd())]
  })
}

function messageOf(errors: readonly { message?: string }[] = []): string {
  return errors.map(({ message = '' }) => message).join('\n')
}

function pathFrom(root: string, file: string): string {
  return relative(root, file).replaceAll('\\', '/')
}
