import { expect, test } from 'vitest'
import { findLocked, missingOptionalPackages } from './complete-lockfile.ts'

test('a missing package is added with its parent’s version and its platform', () => {
  const packages = {
    '': {},
    'node_modules/tool': {
      version: '1.2.3',
      dev: true,
      optionalDependencies: {
        '@tool/binding-darwin-arm64': '1.2.3',
        '@tool/linux-arm-musleabihf': '1.2.3',
        '@tool/linux-x64-gnu': '1.2.3',
        '@tool/wasm32-wasi': '1.2.3-beta.1',
        'tool-win32-amd64': '1.2.3',
      },
    },
    'node_modules/@tool/linux-x64-gnu': { version: '1.2.3' },
  }
  expect(missingOptionalPackages(packages)).toEqual({
    'node_modules/@tool/binding-darwin-arm64': {
      version: '1.2.3',
      os: ['darwin'],
      cpu: ['arm64'],
      dev: true,
      optional: true,
    },
    'node_modules/@tool/linux-arm-musleabihf': {
      version: '1.2.3',
      os: ['linux'],
      cpu: ['arm'],
      libc: ['musl'],
      dev: true,
      optional: true,
    },
    'node_modules/@tool/wasm32-wasi': { version: '1.2.3-beta.1', cpu: ['wasm32'], dev: true, optional: true },
    'node_modules/tool-win32-amd64': { version: '1.2.3', os: ['win32'], cpu: ['x64'], dev: true, optional: true },
  })
})

test('two versions of one package do not get into each other’s place', () => {
  const packages = {
    'node_modules/a': { optionalDependencies: { 'native-linux-x64': '1.0.0' } },
    'node_modules/b': { optionalDependencies: { 'native-linux-x64': '2.0.0' } },
  }
  expect(Object.keys(missingOptionalPackages(packages))).toEqual([
    'node_modules/native-linux-x64',
    'node_modules/b/node_modules/native-linux-x64',
  ])
})

test('completing the lockfile fails when a platform or version is unknown', () => {
  const needing = (name: string, version: string) => ({
    'node_modules/a': { optionalDependencies: { [name]: version } },
  })
  expect(() => missingOptionalPackages(needing('fsevents', '2.3.3'))).toThrow('which processor')
  expect(() => missingOptionalPackages(needing('a-linux-x64', '^1.0.0'))).toThrow('no exact version')
})

test('a package is found in the nearest node_modules folder', () => {
  const packages = {
    'node_modules/x': {},
    'node_modules/@s/p/node_modules/x': {},
    'apps/web/node_modules/y': {},
  }
  expect(findLocked(packages, 'node_modules/@s/p', 'x')).toBe('node_modules/@s/p/node_modules/x')
  expect(findLocked(packages, 'node_modules/@s/q', 'x')).toBe('node_modules/x')
  expect(findLocked(packages, 'apps/web', 'y')).toBe('apps/web/node_modules/y')
  expect(findLocked(packages, 'apps/server', 'y')).toBeUndefined()
  expect(findLocked(packages, '', 'x')).toBe('node_modules/x')
})
