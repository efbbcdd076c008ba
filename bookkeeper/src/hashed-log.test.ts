import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHashedLog } from './hashed-log.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-log-'))
  path = join(folder, 'log.jsonl')
})
afterEach(() => rm(folder, { recursive: true }))

/** Opens the log, returns what it had, and appends. */
async function reopen(values: readonly unknown[]): Promise<unknown[]> {
  const read: unknown[] = []
  const log = await openHashedLog(path, async (value) => void read.push(value))
  await log.append(values)
  await log.close()
  return read
}

test('returns what was appended before', async () => {
  expect(await reopen([{ a: 1 }, { 款項: '五' }])).toEqual([])
  expect(await reopen([{ b: 2 }])).toEqual([{ a: 1 }, { 款項: '五' }])
  expect(await reopen([])).toEqual([{ a: 1 }, { 款項: '五' }, { b: 2 }])
})

test('continues after a cut at each byte', async () => {
  await reopen([{ a: 1 }, { 款項: '五' }])
  const whole = await readFile(path)
  const first = whole.indexOf('\n') + 1
  for (let size = 0; size < whole.length; size++) {
    await writeFile(path, whole)
    await truncate(path, size)
    expect(await reopen([{ c: 3 }]), `${size} bytes`).toEqual(size < first ? [] : [{ a: 1 }])
    expect(await reopen([])).toEqual(size < first ? [{ c: 3 }] : [{ a: 1 }, { c: 3 }])
  }
})

test.each([
  ['changed', (lines: string[]) => [lines[0]?.replace('1', '2'), lines[1], lines[2]]],
  ['missing', (lines: string[]) => [lines[0], lines[2]]],
  ['in another order', (lines: string[]) => [lines[1], lines[0], lines[2]]],
])('does not open with a line that is %s', async (_what, change) => {
  await reopen([{ a: 1 }, { b: 2 }, { c: 3 }])
  const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1)
  await writeFile(
    path,
    change(lines)
      .map((line) => `${line}\n`)
      .join(''),
  )
  await expect(reopen([])).rejects.toThrow(/was changed/)
})
