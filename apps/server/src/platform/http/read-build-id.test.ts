import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readBuildId } from './read-build-id.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-build-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function write(text: string): Promise<void> {
  await mkdir(join(folder, 'builds'))
  await writeFile(join(folder, 'builds/latest.json'), text)
}

test('the build id is read from the build', async () => {
  await write('{"id":"3f2a9c","builtAt":"2026-11-21T09:00:00.000Z"}')
  expect(await readBuildId(folder)).toBe('3f2a9c')
})

test.each(['a folder without a build', 'a folder that is not there'])(
  'the build id of %s is development',
  async (which) => {
    expect(await readBuildId(which.endsWith('there') ? join(folder, 'dist') : folder)).toBe('development')
  },
)

test.each(['', '{', '{}', 'null', '{"id":"","builtAt":""}', '{"id":7,"builtAt":""}'])(
  'a file that says %j is no build',
  async (text) => {
    await write(text)
    await expect(readBuildId(folder)).rejects.toThrow('latest.json is not what a build writes')
  },
)
