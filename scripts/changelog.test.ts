import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const json = (path: string) => JSON.parse(read(path))
const { version } = json('package.json')

/** The sections of versions with a date, newest first. */
const dated = [
  ...read('CHANGELOG.md').matchAll(/^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})\n([\s\S]*?)(?=^## |(?![\s\S]))/gm),
]

test('the newest dated section of the changelog is this version', () => {
  expect(dated[0]?.[1]).toBe(version)
  const dates = dated.map(([, , date = '']) => date)
  expect(dates).toEqual(dates.toSorted().reverse())
})

test('each version after the first says what to do before an upgrade', () => {
  const without = dated
    .filter(([, , , text = '']) => !/^\n### Before you upgrade\n\n- /.test(text))
    .map(([, each]) => each)
  expect(without).toEqual(['0.1.0'])
})

test('every package and the lockfile have this version', () => {
  const { packages, version: locked } = json('package-lock.json')
  const folders = (json('package.json').workspaces as string[])
    .flatMap((pattern) => globSync(`${pattern}/package.json`, { cwd: root }))
    .map((path) => path.slice(0, -'/package.json'.length))
  expect(folders.length).toBeGreaterThan(10)
  const versions = folders.flatMap((folder) => [json(`${folder}/package.json`).version, packages[folder]?.version])
  expect(new Set([locked, packages[''].version, ...versions])).toEqual(new Set([version]))
})
