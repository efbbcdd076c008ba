import { expect, test } from 'vitest'
import { faultsOfLockfile, faultsOfWorkflow } from './check.ts'

const lockfile = (entry: object) =>
  JSON.stringify({
    packages: { '': {}, 'node_modules/own': { link: true, resolved: 'packages/own' }, 'node_modules/a': entry },
  })

test('a lockfile with checksums and without download addresses is well', () => {
  const entry = { version: '1.0.0', integrity: 'sha512-x', funding: { url: 'https://example.com' } }
  expect(faultsOfLockfile(lockfile(entry))).toBeUndefined()
})

test('a download address in a lockfile is a fault', () => {
  for (const resolved of [
    'https://registry.example/a.tgz',
    'http://localhost/a.tgz',
    'git+ssh://git@example.com/a.git',
  ]) {
    expect(faultsOfLockfile(lockfile({ integrity: 'sha512-x', resolved }))).toContain(resolved)
  }
})

/**
 * @attack S23 Packages for other platforms had no checksum in the lockfile, and any new one passed the check.
 * @holds A package without a checksum is a fault, unless it is on the closed list of those that no registry could give.
 */
test('a package without a checksum is a fault', () => {
  for (const more of [{}, { optional: true, cpu: ['arm64'] }])
    expect(faultsOfLockfile(lockfile({ version: '1.0.0', ...more }))).toBe('node_modules/a 1.0.0 has no checksum')
})

test('the list of packages without a checksum names version and path', () => {
  const entry = { version: '1.0.0', optional: true, cpu: ['arm64'] }
  expect(faultsOfLockfile(lockfile(entry), 'node_modules/a 1.0.0\n')).toBeUndefined()
  expect(faultsOfLockfile(lockfile(entry), 'node_modules/a 1.0.1\n')).toContain('node_modules/a 1.0.0 has no checksum')
  expect(faultsOfLockfile(lockfile({ ...entry, integrity: 'sha512-x' }), 'node_modules/a 1.0.0\n')).toContain(
    'has a checksum or is gone',
  )
})

/**
 * @attack S23 The author of an action, or a thief of their account, moves the tag that CI runs.
 * @holds Each action is pinned by commit.
 */
test('an action that is named by a tag is a fault', () => {
  expect(faultsOfWorkflow('- uses: actions/checkout@v5')).toContain('actions/checkout@v5')
  expect(faultsOfWorkflow(`- uses: actions/checkout@${'a'.repeat(40)} # v5`)).toBeUndefined()
})

test('a lockfile that names nothing is a fault', () => {
  expect(faultsOfLockfile('{"packages":{"":{}}}')).toBe('package-lock.json names no package')
})

test('an optional package missing from a lockfile is a fault', () => {
  const entry = { version: '1.0.0', integrity: 'sha512-x', optionalDependencies: { 'a-linux-x64': '1.0.0' } }
  expect(faultsOfLockfile(lockfile(entry))).toContain('node_modules/a-linux-x64 is missing')
})

test('a required package that is missing from the lockfile is a fault', () => {
  const entry = { version: '1.0.0', integrity: 'sha512-x', dependencies: { b: '^2.0.0' } }
  expect(faultsOfLockfile(lockfile(entry))).toBe('b, which node_modules/a needs, is missing')
})
