import { expect, test, vi } from 'vitest'
import { COMMANDS, runOperator } from './run-operator.ts'

async function run(...args: string[]) {
  const lines = { stdout: [] as string[], stderr: [] as string[] }
  const code = await runOperator(args, {
    log: (text) => lines.stdout.push(text),
    error: (text) => lines.stderr.push(text),
  })
  return { code, ...lines }
}

test('--help lists every command on stdout and succeeds', async () => {
  const { code, stdout, stderr } = await run('--help')
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] })
  expect(stdout.slice(0, -1).map((line) => /^npm run operator -- ([\w-]+)/.exec(line)?.[1])).toEqual(
    Object.keys(COMMANDS),
  )
})

test('--help after a command shows that command alone', async () => {
  const { code, stdout } = await run('pools', '--help')
  expect(code).toBe(0)
  expect(stdout).toEqual([expect.stringMatching(/^npm run operator -- pools /), expect.stringMatching(/--execute/)])
})

test('an unknown command prints the usage to stderr and fails', async () => {
  expect(await run('polls')).toMatchObject({ code: 2, stdout: [], stderr: (await run('--help')).stdout })
})

test('a reading command in production asks for DATABASE_URL alone', async () => {
  vi.stubEnv('PROFILE', 'production')
  vi.stubEnv('DATABASE_URL', '')
  vi.stubEnv('SIGNER_KEY', '0x12')
  const sentence = 'DATABASE_URL must be set on chain 56: PGlite does not fsync and is refused there.'
  expect(await run('alarms')).toEqual({ code: 1, stdout: [], stderr: [sentence] })
  vi.unstubAllEnvs()
})
