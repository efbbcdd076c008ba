import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endExact, startTestServer, type TestServer } from './testing/server.ts'

const ROOT = join(import.meta.dirname, '../../..')
const GUIDE = join(ROOT, 'docs/reference/api.md')
const END_OF_BLOCK = '=== end of block ==='

let server: TestServer
/** The output of each code block of the guide, by the heading above it. */
const printed = new Map<string, string>()
beforeAll(async () => {
  server = await startTestServer()
  const blocks = blocksOf(await readFile(GUIDE, 'utf8'))
  const script = blocks.map(({ code }) => `${code}\necho; echo '${END_OF_BLOCK}'`).join('\n')
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: ROOT,
    env: { ...process.env, API: server.url },
  })
  for (const [index, output] of stdout.split(END_OF_BLOCK).slice(0, -1).entries()) {
    const heading = blocks[index]?.heading ?? ''
    printed.set(heading, (printed.get(heading) ?? '') + output)
  }
}, 120_000)
afterAll(() => endExact(server))

/** The shell blocks, each with the heading that it is under. */
function blocksOf(markdown: string): { heading: string; code: string }[] {
  let heading = ''
  return [...markdown.matchAll(/^## (.+)$|^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, title, code]) => {
    if (title !== undefined) heading = title
    return code === undefined ? [] : [{ heading, code }]
  })
}

const codesOf = (heading: string) =>
  [...(printed.get(heading) ?? '').matchAll(/\{"code":(\d+),/g)].map(([, code]) => Number(code))

test.each([
  ['Calls without a session', [1, 1, 1, 1]],
  ['Signing in', [1, 1]],
  ['Commands', [1, 1]],
  ['Refusals', [20003]],
] as const)('the requests under "%s" of the API guide return the codes %j', (heading, codes) => {
  expect(codesOf(heading)).toEqual(codes)
})

test('a command repeated under its key returns the same order', () => {
  const orders = [...(printed.get('Commands') ?? '').matchAll(/"order_id":"(0x[0-9a-f]+)"/g)].map(([, id]) => id)
  expect(orders).toHaveLength(2)
  expect(new Set(orders).size).toBe(1)
})

test('the guide shows the stream and readiness', () => {
  expect(printed.get('The stream')).toMatch(/event: ready[\s\S]*event: pairs/)
  expect(printed.get('Beside the API')).toContain('{"status":"ready"}')
})
