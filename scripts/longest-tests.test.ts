import { expect, test } from 'vitest'
import { describeLongest, playwrightTimes, vitestTimes } from './longest-tests.ts'

test('lists the longest tests of both runners first', () => {
  const vitest = {
    testResults: [
      {
        name: '/house/sim/kill.test.ts',
        assertionResults: [{ title: 'kills', duration: 23_840 }, { title: 'was skipped' }],
      },
    ],
  }
  const result = { results: [{ duration: 20_000 }, { duration: 21_137 }] }
  const playwright = {
    config: { rootDir: '/house/e2e' },
    suites: [{ suites: [{ specs: [{ title: 'swaps', file: 'journeys/swap.test.ts', tests: [result] }] }] }],
  }
  const tests = [
    ...vitestTimes(JSON.stringify(vitest), '/house'),
    ...playwrightTimes(JSON.stringify(playwright), '/house'),
  ]
  expect(describeLongest(tests, 2)).toEqual([
    '  41.1 s  e2e/journeys/swap.test.ts  swaps',
    '  23.8 s  sim/kill.test.ts  kills',
  ])
})
