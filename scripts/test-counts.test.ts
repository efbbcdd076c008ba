import { describe, expect, test } from 'vitest'
import { addCounts, forgeCounts, lastLine, playwrightCounts, stageCounts, vitestCounts } from './test-counts.ts'

describe('the last line', () => {
  test('names passed and failed', () => {
    expect(lastLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  })

  test('names skipped only where some were', () => {
    expect(lastLine({ passed: 1, failed: 2, skipped: 3 })).toBe('1 passed, 2 failed, 3 skipped')
  })

  test('the total adds up all stages', () => {
    expect(addCounts({ passed: 1, failed: 2, skipped: 3 }, { passed: 10, failed: 20, skipped: 30 })).toEqual({
      passed: 11,
      failed: 22,
      skipped: 33,
    })
  })
})

describe('a stage', () => {
  const good = { passed: 5, failed: 0, skipped: 1 }

  test('a successful stage has its runner’s counts', () => {
    expect(stageCounts(0, good)).toEqual(good)
  })

  test('a stage that fails without a failed test counts one failure', () => {
    expect(stageCounts(1, good)).toEqual({ ...good, failed: 1 })
  })

  test('a stage with a failed test counts that test only', () => {
    expect(stageCounts(1, { ...good, failed: 2 })).toEqual({ ...good, failed: 2 })
  })

  test('a stage that ran no test fails even when its runner succeeds', () => {
    expect(stageCounts(0, undefined).failed).toBe(1)
    expect(stageCounts(0, { passed: 0, failed: 0, skipped: 7 })).toEqual({ passed: 0, failed: 1, skipped: 7 })
  })
})

test('a Vitest file that cannot be loaded counts as one failure', () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 1,
    testResults: [
      { status: 'passed', assertionResults: [{ status: 'passed' }] },
      { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] },
      { status: 'failed', assertionResults: [] },
    ],
  }
  expect(vitestCounts(JSON.stringify(report))).toEqual({ passed: 3, failed: 2, skipped: 3 })
})

test('a failed forge test is named with its reason', () => {
  const report = {
    'test/Vault.t.sol:VaultTest': {
      test_results: {
        'test_a()': { status: 'Success', reason: null, counterexample: null },
        'test_b()': { status: 'Failure', reason: 'not owner', counterexample: null },
        'test_c()': { status: 'Skipped', reason: null, counterexample: null },
      },
    },
  }
  expect(forgeCounts(JSON.stringify(report))).toEqual({
    passed: 1,
    failed: 1,
    skipped: 1,
    failures: ['test/Vault.t.sol:VaultTest test_b(): not owner'],
  })
})

describe('of Playwright', () => {
  const stats = { expected: 4, unexpected: 0, skipped: 2 }

  test('journeys count by their outcome', () => {
    expect(playwrightCounts(JSON.stringify({ stats, errors: [] }))).toEqual({ passed: 4, failed: 0, skipped: 2 })
  })

  test('an error outside of a journey is a failure', () => {
    expect(playwrightCounts(JSON.stringify({ stats, errors: [{}] })).failed).toBe(1)
  })
})
