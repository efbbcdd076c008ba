import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import type { Envelope } from '../trader.ts'

const ROOT = join(import.meta.dirname, '../..')
const GUIDE = join(ROOT, 'docs/reference/api.md')
const END_OF_BLOCK = '=== end of block ==='

test('the API guide leads from sign-in to a swap', async ({ baseURL }) => {
  const printed = await runGuide(String(baseURL))
  const envelopesOf = (heading: string) =>
    (printed.get(heading) ?? '')
      .split(/(?=\{"code":)/)
      .filter((text) => text.startsWith('{'))
      .map((json): Envelope => JSON.parse(json))
  const codesOf = (heading: string) => envelopesOf(heading).map(({ code }) => code)

  expect(codesOf('Calls without a session')).toEqual([1, 1, 1, 1])
  expect(codesOf('Signing in')).toEqual([1, 1])
  expect(codesOf('Refusals')).toEqual([20003])
  expect(codesOf('Transferring in')).toEqual([1, 1, 1])
  expect(balanceOf('USDT', envelopesOf('Transferring in').at(-1))).toBe('100')

  const [activation, swap, repeated, balances, outcome] = envelopesOf('Swapping')
  expect([activation?.code, swap?.code, balances?.code]).toEqual([1, 1, 1])
  expect(repeated).toEqual(swap)
  expect(outcome?.data).toMatchObject({ state: 'done', code: 1, data: swap?.data })
  expect(balanceOf('USDT', balances)).toBe('80')
  expect(balanceOf('BNB', balances)).toBe(swap?.data.amount_out)

  expect(printed.get('The stream')).toMatch(/event: ready[\s\S]*event: pairs/)
  expect(printed.get('Beside the API')).toContain('{"status":"ready"}')
})

/** Runs all shell blocks of the guide in one shell. Returns their output by the heading above them. */
async function runGuide(api: string): Promise<Map<string, string>> {
  const blocks = shellBlocks(await readFile(GUIDE, 'utf8'))
  const script = blocks.map(({ code }) => `${code}\necho; echo '${END_OF_BLOCK}'`).join('\n')
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: ROOT,
    env: { ...process.env, API: api, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` },
  })
  const printed = new Map<string, string>()
  for (const [index, output] of stdout.split(END_OF_BLOCK).slice(0, -1).entries()) {
    const heading = blocks[index]?.heading ?? ''
    printed.set(heading, (printed.get(heading) ?? '') + output)
  }
  return printed
}

function shellBlocks(markdown: string): { heading: string; code: string }[] {
  let heading = ''
  return [...markdown.matchAll(/^## (.+)$|^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, title, code]) => {
    if (title !== undefined) heading = title
    return code === undefined ? [] : [{ heading, code }]
  })
}

function balanceOf(asset: string, envelope: Envelope | undefined): string | undefined {
  return envelope?.data.find((item: { asset: string }) => item.asset === asset)?.available
}
