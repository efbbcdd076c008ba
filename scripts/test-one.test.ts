import { expect, test } from 'vitest'
import { planTest } from './test-one.ts'

test.each([
  ['packages/money/src/amount.test.ts', 'vitest', ['run', '--project', 'money', 'packages/money/src/amount.test.ts']],
  ['apps/web/src/app/a.test.tsx', 'vitest', ['run', '--project', 'web', 'apps/web/src/app/a.test.tsx']],
  ['scripts/check.test.ts', 'vitest', ['run', '--project', 'scripts', 'scripts/check.test.ts']],
  ['e2e/journeys/swap.test.ts', 'playwright', ['test', 'journeys/swap.test.ts']],
  ['vault/test/Deposit.t.sol', 'forge', ['test', '--match-path', 'test/Deposit.t.sol']],
])('runs %s with %s', (file, runner, args) => {
  expect(planTest(file, { postgres: false })).toMatchObject({ runner, args })
})

test.each([
  ['packages/money/src/amount.ts', false, 'is no test'],
  ['packages/money/src/amount.test.ts', true, '--postgres is for tests of'],
])('rejects %s (postgres: %s) with the remedy', (file, postgres, message) => {
  expect(() => planTest(file, { postgres })).toThrow(message)
})
