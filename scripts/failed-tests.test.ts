import { expect, test } from 'vitest'
import { describeFailures, playwrightFailures, vitestFailures } from './failed-tests.ts'

test('lists failed and repeated tests of both runners with their messages', () => {
  const vitest = {
    testResults: [
      {
        name: '/house/sim/kill.test.ts',
        status: 'failed',
        assertionResults: [
          { title: 'kills', status: 'failed', failureMessages: ['\u001b[31mAssertionError\u001b[39m\n  at a\n  at b'] },
          { title: 'recovers', status: 'passed', failureMessages: [] },
          { title: 'resumes', status: 'passed', failureMessages: ['too early'] },
        ],
      },
      { name: '/house/sim/broken.test.ts', status: 'failed', message: 'Cannot find package', assertionResults: [] },
    ],
  }
  const failed = {
    status: 'unexpected',
    results: [{ errors: [{ message: 'first' }] }, { errors: [{ message: 'last' }] }],
  }
  const repeated = { status: 'flaky', results: [{ errors: [{ message: 'first' }] }, { errors: [] }] }
  const specs = [
    { title: 'swaps', file: 'journeys/swap.test.ts', tests: [failed] },
    { title: 'pays', file: 'journeys/swap.test.ts', tests: [repeated] },
  ]
  const playwright = {
    config: { rootDir: '/house/e2e' },
    suites: [{ suites: [{ specs }] }],
    errors: [{ message: 'The server did not start' }],
  }
  const tests = [
    ...vitestFailures(JSON.stringify(vitest), '/house'),
    ...playwrightFailures(JSON.stringify(playwright), '/house'),
  ]
  const failures = tests.filter(({ isRepeated }) => !isRepeated)
  expect(describeFailures(failures, 2)).toEqual([
    'FAIL  sim/kill.test.ts  kills',
    '  AssertionError',
    '    at a',
    'FAIL  sim/broken.test.ts',
    '  Cannot find package',
    'FAIL  e2e/journeys/swap.test.ts  swaps',
    '  last',
    'FAIL  e2e',
    '  The server did not start',
  ])
  expect(tests.filter(({ isRepeated }) => isRepeated).map(({ title, message }) => [title, message])).toEqual([
    ['resumes', 'too early'],
    ['pays', 'first'],
  ])
})
