import { describe, expect, test } from 'vitest'
import { type ConformanceRow, conformance, playwrightRuns, type TestRun, vitestRuns } from './conformance.ts'

const run = (rows: string[], outcome: TestRun['outcome'] = 'passed'): TestRun => ({
  file: 'e2e/conformance/a.test.ts',
  rows,
  outcome,
})
const row = (id: string, more: Partial<ConformanceRow> = {}): ConformanceRow => ({ id, text: `says ${id}`, ...more })
const check = (rows: ConformanceRow[], runs: TestRun[]) => conformance({ rows, runs, sections: ['First'] })

describe('conformance', () => {
  test('lists a row as passed when a test that names it passed', () => {
    const { page, faults } = check([row('1.01')], [run([]), run(['1.01'])])
    expect(faults).toEqual([])
    expect(page).toContain(
      '| §1.01 | says 1.01 | [e2e/conformance/a.test.ts](../../e2e/conformance/a.test.ts) | passed |',
    )
    expect(page).toContain('1 rows: 1 shown, 0 not shown.')
  })

  test('accepts one test for several rows', () => {
    expect(check([row('1.01'), row('1.02')], [run(['1.01', '1.02'])]).faults).toEqual([])
  })

  test.each([
    ['has no test', []],
    ['has a test of another row only', [run(['1.011'])]],
    ['was skipped', [run(['1.01'], 'skipped')]],
    ['passed once and failed once', [run(['1.01']), run(['1.01'], 'failed')]],
  ])('reports a row that %s', (_name, runs) => {
    expect(check([row('1.01')], runs).faults.join()).toContain('§1.01 says 1.01:')
  })

  test('lists accepted departures with the reason', () => {
    const { page } = check([row('1.01', { departure: 'The stream pushes it.' }), row('1.02')], [run(['1.01', '1.02'])])
    expect(page).toContain('2 rows: 2 shown, 0 not shown.')
    expect(page).toContain('| §1.01 | says 1.01 | The stream pushes it. |')
    expect(page).toContain('| passed, with an accepted departure |')
    expect(check([row('1.02')], [run(['1.02'])]).page).not.toContain('Accepted departures')
  })

  test('reports a duplicate row and a test of an unknown row', () => {
    expect(check([row('1.01'), row('1.01')], [run(['1.01']), run(['1.02'])]).faults).toEqual([
      '§1.01 is listed twice.',
      'e2e/conformance/a.test.ts shows §1.02, which is no row.',
    ])
  })
})

test('reads rows from the tags of Vitest tests', () => {
  const report = {
    testResults: [
      {
        name: '/house/apps/web/a.test.ts',
        assertionResults: [
          { title: '[§1.01] a test', tags: [], status: 'passed' },
          { title: 'another', tags: ['§8.21', 'slow', '§8.22'], status: 'failed' },
          { title: 'a third', tags: ['§1.01'], status: 'pending' },
        ],
      },
    ],
  }
  expect(vitestRuns(JSON.stringify(report), '/house')).toEqual([
    { file: 'apps/web/a.test.ts', rows: [], outcome: 'passed' },
    { file: 'apps/web/a.test.ts', rows: ['8.21', '8.22'], outcome: 'failed' },
    { file: 'apps/web/a.test.ts', rows: ['1.01'], outcome: 'skipped' },
  ])
})

test('reads rows from titles of Playwright tests in groups of any depth', () => {
  const spec = (title: string, status: string) => ({ title, file: 'conformance/a.test.ts', tests: [{ status }] })
  const report = {
    config: { rootDir: '/house/e2e' },
    suites: [
      {
        specs: [spec('[§1.01] [§2.10] one', 'expected')],
        suites: [
          {
            specs: [spec('shows [§1.01] too', 'expected'), spec('[§1.011] three', 'unexpected')],
            suites: [{ specs: [spec('four', 'skipped')] }],
          },
        ],
      },
    ],
  }
  expect(playwrightRuns(JSON.stringify(report), '/house')).toEqual([
    { file: 'e2e/conformance/a.test.ts', rows: ['1.01', '2.10'], outcome: 'passed' },
    { file: 'e2e/conformance/a.test.ts', rows: [], outcome: 'passed' },
    { file: 'e2e/conformance/a.test.ts', rows: ['1.011'], outcome: 'failed' },
    { file: 'e2e/conformance/a.test.ts', rows: [], outcome: 'skipped' },
  ])
})
