import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SECRET_VARIABLES } from '@clearwell/server/src/config/secret-files.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** The files of deploy/, as far as they can be checked without installing them. */
const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const has = (program: string) => spawnSync(program, ['--version']).error === undefined

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearwell-deploy-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('the proxy’s files are the block of its page', () => {
  const [, block = ''] = /^```nginx\n([\s\S]*?)^```$/m.exec(read('docs/recipes/run-behind-a-proxy.md')) ?? []
  expect(read('deploy/nginx/clearwell.conf')).toBe(block)
  const inCompose = block.replace('127.0.0.1:3000', 'server-1:3000').replace('127.0.0.1:3001', 'server-2:3000')
  expect(read('deploy/compose/nginx.conf')).toBe(inCompose)
})

test.runIf(has('systemd-analyze')).each([
  ['clearwell@.service', 'clearwell@3000.service', []],
  ['clearwell@.service', 'clearwell@3000.service', ['bookkeeper-2.conf', 'read-database.conf']],
  ['clearwell-bookkeeper.service', 'clearwell-bookkeeper.service', []],
  ['clearwell-canary.service', 'clearwell-canary.service', []],
])('systemd finds no fault in %s as %s with %j', (name, as, added) => {
  const unit = read(`deploy/systemd/${name}`).replace('/usr/local/bin/node', process.execPath)
  const file = join(folder, as)
  writeFileSync(file, unit)
  mkdirSync(join(folder, `${as}.d`))
  for (const each of added)
    cpSync(join(root, 'deploy/systemd/clearwell@.service.d', each), join(folder, `${as}.d`, each))
  const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
  expect([verified.status, verified.stderr]).toEqual([0, ''])
  const text = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', file], { encoding: 'utf8' })
  expect(Number(/Overall exposure level .*: ([\d.]+)/.exec(text)?.[1])).toBeLessThan(2)
})

test.runIf(has('systemd-analyze'))('systemd finds no fault in the backup and its timers', () => {
  const names = [
    'clearwell-backup@.service',
    ...['full', 'diff', 'try'].map((name) => `clearwell-backup@${name}.timer`),
  ]
  for (const name of names)
    writeFileSync(join(folder, name), read(`deploy/systemd/${name}`).replaceAll('=/opt/clearwell', `=${root}`))
  for (const name of names.map((each) => each.replace('@.', '@full.'))) {
    if (name.endsWith('.service')) cpSync(join(folder, names[0] ?? ''), join(folder, name))
    const verified = spawnSync('systemd-analyze', ['verify', join(folder, name)], { encoding: 'utf8' })
    expect([verified.status, verified.stderr], name).toEqual([0, ''])
  }
  const commands = read('deploy/pgbackrest/clearwell-backup')
  for (const command of ['full', 'diff', 'try'])
    expect(commands).toMatch(new RegExp(`^ {2}(full \\| )?${command}\\b.*\\) `, 'm'))
})

test.runIf(has('docker-compose'))('docker-compose accepts the file, with each secret a file', () => {
  cpSync(join(root, 'deploy'), folder, { recursive: true })
  writeFileSync(join(folder, 'compose/clearwell.env'), read('deploy/clearwell.env.example'))
  writeFileSync(join(folder, 'compose/bookkeeper.env'), read('deploy/bookkeeper.env.example'))
  const file = join(folder, 'compose/compose.yaml')
  const text = execFileSync('docker-compose', ['--file', file, 'config'], { encoding: 'utf8', stdio: 'pipe' })
  const services = [...text.matchAll(/^ {2}(server-\d|bookkeeper|postgres|backup|proxy|prometheus):$/gm)].map(
    ([, name]) => name,
  )
  const expected = ['backup', 'bookkeeper', 'postgres', 'prometheus', 'proxy', 'server-1', 'server-2']
  expect(services.slice(0, 7)).toEqual(expected)
  expect(text).not.toMatch(/(?:PASSWORD|_KEY|_TOKEN|DATABASE_URL|RPC_URL): (?!https)\S/)
})

test.runIf(has('promtool'))('promtool accepts the configuration of Compose with the alert rules', () => {
  cpSync(join(root, 'deploy/prometheus'), folder, { recursive: true })
  const file = join(folder, 'prometheus.yml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('/etc/prometheus/alerts.yml', join(folder, 'alerts.yml')))
  expect(execFileSync('promtool', ['check', 'config', file], { encoding: 'utf8' })).toMatch(/SUCCESS: \d+ rules found/)
})

test('the units and Compose give each secret as a file', () => {
  const units = globSync('deploy/systemd/clearwell@.service{,.d/*.conf}', { cwd: root }).map(read).join('')
  const given = [...units.matchAll(/\b([A-Z_0-9]+)_FILE=%d\/(\w+)/g)].map(([, name = '', id = '']) => [name, id])
  expect(given.map(([name]) => name)).toEqual(expect.arrayContaining(['READ_DATABASE_URL', 'BOOKKEEPER_TOKEN_2']))
  for (const [name, id] of given) {
    expect(id).toBe(name?.toLowerCase())
    expect(units).toContain(`LoadCredential=${id}:/etc/clearwell/secrets/${id}\n`)
    expect(SECRET_VARIABLES).toContain(name)
  }
  const inCompose = [...read('deploy/compose/compose.yaml').matchAll(/^ +[A-Z_0-9]+_FILE: \/run\/secrets\/(\w+)$/gm)]
  for (const [, id = ''] of inCompose)
    expect(read('deploy/compose/compose.yaml')).toContain(`  ${id}: { file: secrets/${id} }`)
})

test('the server’s time to stop covers its drain in each file', () => {
  const drainS = Number(/^DRAIN_MS=(\d+)$/m.exec(read('deploy/clearwell.env.example'))?.[1]) / 1000
  expect(read('deploy/systemd/clearwell@.service')).toContain(`TimeoutStopSec=${drainS + 10}s`)
  expect(read('deploy/compose/compose.yaml')).toContain(`stop_grace_period: ${drainS + 10}s`)
})
