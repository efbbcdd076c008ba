import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultsOfLockfile } from '../../scripts/check.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../peers', file), 'utf8')

test('the lockfile of the peers can be installed anywhere', () => {
  expect(faultsOfLockfile(read('package-lock.json'))).toBeUndefined()
})

test('the peers and Lighthouse are named by their exact versions', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
  for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
})
