import { execFile } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { METRIC_TABLES } from './metric-tables.ts'
import { ALARMS } from './platform/alarms/alarm-kinds.ts'

const ROOT = join(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, 'deploy/prometheus')
const rules = readFileSync(join(FOLDER, 'alerts.yml'), 'utf8')
const tests = readFileSync(join(FOLDER, 'alerts.test.yml'), 'utf8')
const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)

/** Debian's package `prometheus` has it; `.ci/run` installs it. */
const promtool = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'promtool'))
  .find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })

test('promtool accepts the alert rules and their tests', async ({ skip }) => {
  skip(!promtool && !process.env.CI, 'not run: promtool is missing (Debian: apt-get install prometheus)')
  const run = (...args: string[]) => promisify(execFile)(promtool ?? 'promtool', args, { cwd: FOLDER })
  expect((await run('check', 'rules', 'alerts.yml')).stdout).toContain(`${names.length} rules found`)
  expect((await run('test', 'rules', 'alerts.test.yml')).stdout).toContain('SUCCESS')
}, 60_000)

test('every alert rule has a test that fires it', () => {
  const fired = new Set([...tests.matchAll(/alertname="(\w+)"/g)].map(([, name]) => name))
  expect([...fired].toSorted()).toEqual(names.toSorted())
})

test('alert rules name only metrics and labels that exist', () => {
  const definitions = Object.fromEntries(METRIC_TABLES.flatMap(({ table }) => Object.entries(table)))
  const used = [...rules.matchAll(/(clearwell_\w+)(?:\{(.*?)\})?/g)]
  expect(used.length).toBeGreaterThan(names.length)
  for (const [, found = '', matchers = ''] of used) {
    const definition = definitions[found.replace(/_(bucket|sum|count)$/, '')]
    expect(definition, found).toBeDefined()
    for (const [, label] of matchers.matchAll(/(\w+)(?:=|!=|=~)"/g))
      expect(Object.keys(definition?.labels ?? {}), found).toContain(label)
  }
  const critical = Object.entries(ALARMS).flatMap(([kind, { severity }]) => (severity === 'critical' ? [kind] : []))
  expect(rules.match(/alarm=~"([^"]+)"/)?.[1]?.split('|')).toEqual(critical)
})

test('every alert rule has a severity and an existing runbook', () => {
  const blocks = rules.split('- alert: ').slice(1)
  for (const block of blocks) {
    expect(block).toMatch(/severity: (critical|warning)\b/)
    const [, page = '', anchor] = block.match(/runbook: (\S+?\.md)(?:#(\S+))?\n/) ?? []
    const headings = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    )
    if (anchor !== undefined) expect(headings, block).toContain(anchor)
  }
})
