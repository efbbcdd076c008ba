import { describe, expect, test } from 'vitest'
import { type ConformanceRow, conformance, playwrightRuns, type TestRun, vitestRuns } from './conformance.ts'

const journey = (title: string, outcome: TestRun['outcome'] = 'passed'): TestRun => ({
  file: 'e2e/conformance/a.test.ts',
  title,
  outcome,
})
const row = (id: string, more: Partial<ConformanceRow> = {}): ConformanceRow => ({
  id,
  text: `says ${id}`,
  unitTests: [],
  ...more,
})
const check = (rows: ConformanceRow[], runs: TestRun[]) => conformance({ rows, runs, sections: ['First'] })

describe('a row', () => {
  test('is shown by a test that passed and begins with its id', () => {
    const { page, faults } = check([row('1.01')], [journey('[§1.01] says 1.01')])
    expect(faults).toEqual([])
    expect(page).toContain(
      '| §1.01 | says 1.01 | [e2e/conformance/a.test.ts](../../e2e/conformance/a.test.ts) | passed |',
    )
    expect(page).toContain('1 rows: 1 shown, 0 not open yet, 0 not shown.')
  })

  test.each([
    ['has no test', []],
    ['is only named in the middle of a title', [journey('shows [§1.01] too')]],
    ['has a test of another row', [journey('[§1.011] other')]],
    ['was skipped', [journey('[§1.01] says', 'skipped')]],
    ['passed once and failed once', [journey('[§1.01] says'), journey('[§1.01] says in English', 'failed')]],
  ])('that %s is a fault', (_name, runs) => {
    expect(check([row('1.01')], runs).faults.join()).toContain('§1.01 says 1.01:')
  })

  test('of a part that is not open needs a test too, and the page says so', () => {
    const closed = row('1.01', { opensWith: 'stake' })
    expect(check([closed], []).faults).toHaveLength(1)
    expect(check([closed], [journey('[§1.01] says')]).page).toContain('| not open yet (stake) |')
  })

  test('may be shown by a unit test, named by file and whole title', () => {
    const file = 'apps/web/src/a.test.ts'
    const mapped = row('1.01', { unitTests: [{ file, title: 'a group the test' }] })
    expect(check([mapped], [{ file, title: 'a group the test', outcome: 'passed' }]).faults).toEqual([])
    expect(check([mapped], [{ file, title: 'a group the test', outcome: 'failed' }]).faults).toHaveLength(1)
  })

  test('whose unit test was renamed is a fault, even where another test shows it', () => {
    const mapped = row('1.01', { unitTests: [{ file: 'a.test.ts', title: 'gone' }] })
    expect(check([mapped], [journey('[§1.01] says')]).faults).toEqual([
      '§1.01 is to be shown by "gone" of a.test.ts, which did not run.',
    ])
  })

  test('that is listed twice, or named by a test and not listed, is a fault', () => {
    const runs = [journey('[§1.01] says'), journey('[§1.02] says')]
    expect(check([row('1.01'), row('1.01')], runs).faults).toEqual([
      '§1.01 is listed twice.',
      'e2e/conformance/a.test.ts shows §1.02, which is no row.',
    ])
  })
})

test('tests of Vitest have their whole title and their path in the repository', () => {
  const report = {
    testResults: [
      {
        name: '/house/apps/web/a.test.ts',
        assertionResults: [
          { ancestorTitles: ['a group'], title: 'a test', status: 'passed' },
          { ancestorTitles: [], title: '[§8.21] another', status: 'failed' },
          { ancestorTitles: [], title: 'a third', status: 'pending' },
        ],
      },
    ],
  }
  expect(vitestRuns(JSON.stringify(report), '/house')).toEqual([
    { file: 'apps/web/a.test.ts', title: 'a group a test', outcome: 'passed' },
    { file: 'apps/web/a.test.ts', title: '[§8.21] another', outcome: 'failed' },
    { file: 'apps/web/a.test.ts', title: 'a third', outcome: 'skipped' },
  ])
})

test('tests of Playwright are found in groups of any depth; one that passed when repeated has passed', () => {
  const spec = (title: string, status: string) => ({ title, file: 'conformance/a.test.ts', tests: [{ status }] })
  const report = {
    config: { rootDir: '/house/e2e' },
    suites: [
      {
        specs: [spec('[§1.01] one', 'expected')],
        suites: [
          {
            specs: [spec('two', 'flaky'), spec('three', 'unexpected')],
            suites: [{ specs: [spec('four', 'skipped')] }],
          },
        ],
      },
    ],
  }
  expect(playwrightRuns(JSON.stringify(report), '/house')).toEqual([
    { file: 'e2e/conformance/a.test.ts', title: '[§1.01] one', outcome: 'passed' },
    { file: 'e2e/conformance/a.test.ts', title: 'two', outcome: 'passed' },
    { file: 'e2e/conformance/a.test.ts', title: 'three', outcome: 'failed' },
    { file: 'e2e/conformance/a.test.ts', title: 'four', outcome: 'skipped' },
  ])
})
