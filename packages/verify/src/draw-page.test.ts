import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { exampleEvidence } from './testing/example-evidence.ts'
import { honestDay } from './testing/honest-day.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const E18 = 10n ** 18n
const boxes = [
  { id: '0000000000000000000000000000009a', level: 0, streak: 0, fees: 40n * E18 },
  { id: '0000000000000000000000000310fa3b', level: 1, streak: 3, fees: (25n * E18) / 2n },
  { id: '0123456789abcdef0123456789abcdef', level: 2, streak: 7, fees: 8n * E18 },
] as const

test('the example on the page of the draw is an honest day', () => {
  expect(JSON.parse(read('docs/concepts/draw-example.json'))).toEqual(honestDay({ boxes }))
})

test('every command on the page of the draw prints its output', async () => {
  const page = read('docs/concepts/draw.md')
  const examples = [...page.matchAll(/^```sh\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```$/gm)]
  expect(examples.length).toBe(page.match(/^```sh$/gm)?.length)
  // One shell, because later commands use the variables and functions of earlier ones.
  const mark = '---- next example'
  const npx = 'npx() { shift; node packages/verify/bin/clearwell-verify.mjs "$@"; }'
  const script = [npx, ...examples.map(([, command]) => `${command}echo '${mark}'`)].join('\n')
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], { cwd: root })
  expect(stderr).toBe('')
  expect(stdout.split(`${mark}\n`).slice(0, -1)).toEqual(examples.map(([, , output]) => output))
})

test('the files of the package run alone in an empty folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-verify-'))
  const { files, bin } = JSON.parse(read('packages/verify/package.json')) as { files: string[]; bin: object }
  for (const file of ['package.json', ...files])
    await cp(join(root, 'packages/verify', file), join(folder, file), { recursive: true })
  const command = join(folder, Object.values(bin)[0])
  const day = join(root, 'docs/concepts/draw-example.json')
  const { stdout } = await promisify(execFile)(process.execPath, [command, day], { cwd: folder, env: {} })
  expect(stdout).toMatch(/^2026-11-22: all 3 boxes are right\. Root [0-9a-f]{64}$/m)
  await rm(folder, { recursive: true })
})

test('the command checks a box by the inputs that the app copies', async () => {
  const run = (evidence: object) =>
    promisify(execFile)(
      'bash',
      ['-c', 'node packages/verify/bin/clearwell-verify.mjs /dev/stdin <<< "$0"', JSON.stringify(evidence)],
      { cwd: root },
    )
  const { block: _block, ...known } = exampleEvidence()
  expect((await run(known)).stdout).toMatch(/^commitment: right\n[\s\S]*^block: not checked\n[\s\S]*^share: right\n$/m)
  const forged = { ...known, box: { ...known.box, draw: 10 } }
  await expect(run(forged)).rejects.toMatchObject({ code: 1, stdout: expect.stringMatching(/^draw: WRONG$/m) })
})

test('the command names a manipulated day and exits with 1', async () => {
  const forged = JSON.stringify({ ...honestDay({ boxes }), seed: 'ab'.repeat(32) })
  const run = promisify(execFile)(
    'bash',
    ['-c', 'node packages/verify/bin/clearwell-verify.mjs /dev/stdin --root 00 <<< "$0"', forged],
    { cwd: root },
  )
  await expect(run).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^other_root: [\s\S]*^changed_seed: The seed is not the committed one/m),
  })
})
