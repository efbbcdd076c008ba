import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { THREADS } from './bundle-server.ts'

test('a release has the file of every thread of the server', () => {
  const files = globSync('{apps/server,packages/*}/src/**/*.worker.ts', { cwd: join(import.meta.dirname, '../..') })
  expect(THREADS.map((path) => `${path}.ts`)).toEqual(files.map((file) => file.replaceAll('\\', '/')).toSorted())
})
