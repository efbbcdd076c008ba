import { expect, test } from 'vitest'
import { faultsOfLockfile } from './check.ts'

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

test('a package without a checksum is a fault', () => {
  expect(faultsOfLockfile(lockfile({ version: '1.0.0' }))).toBe('node_modules/a has no checksum')
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
