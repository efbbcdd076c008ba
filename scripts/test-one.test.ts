import { expect, test } from 'vitest'
import { planTest, refuseOtherParts, repeat, takeRepeat } from './test-one.ts'

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

test('refuses a second file that the same run would leave out', () => {
  const file = 'packages/money/src/amount.test.ts'
  expect(() => refuseOtherParts(file, ['-t', 'adds', 'packages/rules/src/swap.test.ts'])).toThrow(
    'packages/rules/src/swap.test.ts is of another part',
  )
  expect(() => refuseOtherParts(file, ['packages/money/src/decimal.test.ts', '--bail'])).not.toThrow()
})

test('takes the number of runs out of the arguments', () => {
  expect(takeRepeat(['-t', 'pays', '--repeat', '200', '--bail'])).toEqual({
    times: 200,
    rest: ['-t', 'pays', '--bail'],
  })
  expect(takeRepeat(['-t', 'pays'])).toEqual({ times: 1, rest: ['-t', 'pays'] })
})

test.each([['--repeat'], ['--repeat', '0'], ['--repeat', '-t'], ['--repeat', '10000']])(
  'rejects %s %s as a number of runs',
  (...words) => {
    expect(() => takeRepeat(words)).toThrow('--repeat needs a number of runs')
  },
)

test('fails when one of many runs fails', async () => {
  const codes = [0, 1, 0]
  expect(await repeat(3, async () => codes.shift() ?? 9)).toBe(1)
  expect(codes).toEqual([])
  expect(await repeat(3, async () => 0)).toBe(0)
})
