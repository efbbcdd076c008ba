import { expect, test } from 'vitest'
import { describeFailures, playwrightFailures, vitestFailures } from './failed-tests.ts'

test('lists failed tests of both runners with their messages', () => {
  const vitest = {
    testResults: [
      {
        name: '/house/sim/kill.test.ts',
        status: 'failed',
        assertionResults: [
          { title: 'kills', status: 'failed', failureMessages: ['\u001b[31mAssertionError\u001b[39m\n  at a\n  at b'] },
          { title: 'recovers', status: 'passed', failureMessages: [] },
        ],
      },
      { name: '/house/sim/broken.test.ts', status: 'failed', message: 'Cannot find package', assertionResults: [] },
    ],
  }
  const failed = { status: 'unexpected', results: [{ errors: [{ message: 'too late' }] }] }
  const passed = { status: 'expected', results: [{ errors: [] }] }
  const specs = [
    { title: 'swaps', file: 'journeys/swap.test.ts', tests: [failed] },
    { title: 'pays', file: 'journeys/swap.test.ts', tests: [passed] },
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
  expect(describeFailures(tests, 2)).toEqual([
    'FAIL  sim/kill.test.ts  kills',
    '  AssertionError',
    '    at a',
    'FAIL  sim/broken.test.ts',
    '  Cannot find package',
    'FAIL  e2e/journeys/swap.test.ts  swaps',
    '  too late',
    'FAIL  e2e',
    '  The server did not start',
  ])
})
