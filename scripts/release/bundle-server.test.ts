import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundleBookkeeper, THREADS } from './bundle-server.ts'

test('a release has the file of every thread of the server', () => {
  const files = globSync('{apps/server,packages/*}/src/**/*.worker.ts', { cwd: join(import.meta.dirname, '../..') })
  expect(THREADS.map((path) => `${path}.ts`)).toEqual(files.map((file) => file.replaceAll('\\', '/')).toSorted())
})

test('the bookkeeper of a release is one file that runs alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clearwell-bundle-'))
  try {
    const packages = await bundleBookkeeper(join(import.meta.dirname, '../..'), folder)
    expect(packages).toContain('node_modules/viem')
    expect(readdirSync(folder)).toEqual(['bookkeeper.js'])
    const output = execFileSync(process.execPath, [join(folder, 'bookkeeper.js'), 'address'], {
      // The key 1, whose address is well known.
      env: { BOOKKEEPER_KEY: `0x${'00'.repeat(31)}01` },
      cwd: folder,
      encoding: 'utf8',
    })
    expect(output).toBe('0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}, 60_000)
