import { join, relative } from 'node:path'

/** One test that ran, of any runner. */
export interface TestRun {
  /** From the root of the repository. */
  readonly file: string
  /** The whole title: those of the groups that it stands in, then its own. */
  readonly title: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
}

/** A row of the specification, and the unit tests that show it beside those that name it in their title. */
export interface ConformanceRow {
  /** Its section, a dot, and its number there. */
  readonly id: string
  readonly text: string
  /** The part that brings what the row says and is not open yet; its tests show that the app says so. */
  readonly opensWith?: string
  readonly unitTests: readonly { readonly file: string; readonly title: string }[]
}

export interface Conformance {
  /** The generated page, `docs/reference/conformance.md`. */
  readonly page: string
  /** What is not shown, one sentence each. */
  readonly faults: readonly string[]
}

/** Where a title names the row that its test shows: `[§4.07] …`. */
const ROW_IN_TITLE = /^\[§(\d+\.\d+)\] /

/**
 * Holds the rows of the specification against the tests that ran: each row needs a test that passed and none that
 * failed, and no test may name a row that does not exist.
 */
export function conformance({
  rows,
  sections,
  runs,
}: {
  rows: readonly ConformanceRow[]
  /** Titles of the sections, the first being section 1. */
  sections: readonly string[]
  runs: readonly TestRun[]
}): Conformance {
  const ids = new Set(rows.map(({ id }) => id))
  const known = runs.map((run) => ({ ...run, row: rowOfTitle(run.title) }))
  const checked = rows.map((row) => {
    const named = known.filter((run) => run.row === row.id)
    const mapped = row.unitTests.flatMap((test) =>
      known.filter((run) => run.file === test.file && run.title === test.title),
    )
    const missing = row.unitTests.filter(
      (test) => !known.some((run) => run.file === test.file && run.title === test.title),
    )
    const tests = [...named, ...mapped]
    return { ...row, tests, result: resultOf(tests), missing }
  })
  const faults = [
    ...rows
      .filter(({ id }, index) => rows.findIndex((row) => row.id === id) !== index)
      .map(({ id }) => `§${id} is listed twice.`),
    ...known
      .filter(({ row }) => row !== undefined && !ids.has(row))
      .map(({ file, row }) => `${file} shows §${row}, which is no row.`),
    ...checked.flatMap(({ id, text, result, missing }) => [
      ...(result === 'passed' ? [] : [`§${id} ${text}: ${result}.`]),
      ...missing.map(({ file, title }) => `§${id} is to be shown by "${title}" of ${file}, which did not run.`),
    ]),
  ]
  return { page: pageOf(checked, sections), faults }
}

/** The tests of Vitest's JSON report. */
export function vitestRuns(json: string, root: string): TestRun[] {
  const { testResults } = JSON.parse(json) as {
    testResults: {
      name: string
      assertionResults: { ancestorTitles: string[]; title: string; status: string }[]
    }[]
  }
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      file: pathFrom(root, name),
      title: [...ancestorTitles, title].join(' ').trim(),
      outcome: status === 'passed' || status === 'failed' ? status : 'skipped',
    })),
  )
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs?: readonly { title: string; file: string; tests: { status: string }[] }[]
}

/** The tests of Playwright's JSON report, by their own title: a group only says what its tests share. */
export function playwrightRuns(json: string, root: string): TestRun[] {
  const report = JSON.parse(json) as PlaywrightSuite & { config: { rootDir: string } }
  const specsOf = ({ suites = [], specs = [] }: PlaywrightSuite): NonNullable<PlaywrightSuite['specs']> => [
    ...specs,
    ...suites.flatMap(specsOf),
  ]
  return specsOf(report).map(({ title, file, tests }) => ({
    file: pathFrom(root, join(report.config.rootDir, file)),
    title,
    outcome: tests.some(({ status }) => status === 'unexpected')
      ? 'failed'
      : tests.every(({ status }) => status === 'skipped')
        ? 'skipped'
        : 'passed',
  }))
}

function rowOfTitle(title: string): string | undefined {
  return ROW_IN_TITLE.exec(title)?.[1]
}

function resultOf(tests: readonly TestRun[]): 'passed' | 'failed' | 'no test passed' {
  if (tests.some(({ outcome }) => outcome === 'failed')) return 'failed'
  return tests.some(({ outcome }) => outcome === 'passed') ? 'passed' : 'no test passed'
}

type CheckedRow = ConformanceRow & { readonly tests: readonly TestRun[]; readonly result: string }

function pageOf(rows: readonly CheckedRow[], sections: readonly string[]): string {
  const shown = rows.filter(({ result, opensWith }) => result === 'passed' && opensWith === undefined).length
  const closed = rows.filter(({ result, opensWith }) => result === 'passed' && opensWith !== undefined).length
  return [
    '<!-- Generated by `node e2e/conformance/main.ts --write` from the reports of the last `npm test`. -->',
    '',
    '# Conformance',
    '',
    'Every row of the specification with the tests that show it. A row without a test that passes fails `npm test`.',
    'A row of a part that is not open yet is shown by its screens being there and saying so.',
    '',
    `${rows.length} rows: ${shown} shown, ${closed} not open yet, ${rows.length - shown - closed} not shown.`,
    ...sections.flatMap((title, index) => [
      '',
      `## ${index + 1}. ${title}`,
      '',
      '| Row | What it says | Test | Result |',
      '| --- | --- | --- | --- |',
      ...rows.filter(({ id }) => id.startsWith(`${index + 1}.`)).map(lineOf),
    ]),
    '',
  ].join('\n')
}

function lineOf({ id, text, tests, result, opensWith }: CheckedRow): string {
  const files = [...new Set(tests.map(({ file }) => `[${file}](../../${file})`))].toSorted()
  const said = result === 'passed' && opensWith !== undefined ? `not open yet (${opensWith})` : result
  return `| §${id} | ${text.replaceAll('|', '\\|')} | ${files.join('<br>')} | ${said} |`
}

function pathFrom(root: string, file: string): string {
  return relative(root, file).replaceAll('\\', '/')
}
