import { expect, test } from 'vitest'
import { namesToInstall } from './packages.ts'
import { parseMembers } from './patroni-status.ts'
import { parseMetrics } from './read-state.ts'
import { ratePerSecond } from './run-cluster.ts'
import { tableOf } from './table.ts'

test('the packages to get are those that apt would install', () => {
  const plan = `Reading package lists...
Inst liblua5.3-0 (5.3.6-2 Debian:12.15/oldstable [amd64])
Inst haproxy (2.6.12-1+deb12u4 Debian-Security:12/oldstable-security [amd64]) []
Conf haproxy (2.6.12-1+deb12u4 Debian-Security:12/oldstable-security [amd64])
Inst haproxy [2.6.12-1+deb12u4] (2.6.12-1+deb12u4 Debian:12.15/oldstable [amd64])
`
  expect(namesToInstall(plan)).toEqual(['haproxy', 'liblua5.3-0'])
})

test('Patroni’s members are read, also without a known lag', () => {
  const members = [
    { name: 'machine-1', role: 'leader', state: 'running', timeline: 2 },
    { name: 'machine-2', role: 'sync_standby', state: 'streaming', lag: 0 },
    { name: 'machine-3', role: 'standby_leader', state: 'stopped', lag: 'unknown' },
  ]
  expect(parseMembers(JSON.stringify({ members }))).toEqual([
    { name: 'machine-1', role: 'leader', state: 'running', lagBytes: undefined },
    { name: 'machine-2', role: 'sync_standby', state: 'streaming', lagBytes: 0 },
    { name: 'machine-3', role: 'unknown', state: 'stopped', lagBytes: undefined },
  ])
})

test('the state of a server is read from its metrics', () => {
  const metrics = `clearwell_writer_leader 1
clearwell_writer_batch_commands_bucket{le="1"} 3
clearwell_writer_batch_commands_sum 42
clearwell_ready{part="database"} 0
clearwell_ready{part="chain"} 1
`
  expect(parseMetrics(metrics)).toEqual({ isWriter: true, commands: 42, notReady: ['database'] })
  expect(parseMetrics('')).toEqual({ isWriter: false, commands: 0, notReady: [] })
})

test('the table shows leader, lag, server and rate', () => {
  const machine = (number: number) => ({
    name: `machine-${number}`,
    address: '',
    server: 'ready',
    isWriter: number === 2,
  })
  const database = (role: 'leader' | 'sync_standby', lagBytes?: number) => ({
    name: '',
    role,
    state: 'running',
    lagBytes,
  })
  const machines = [
    { ...machine(1), database: database('leader') },
    { ...machine(2), database: database('sync_standby', 1025) },
    { ...machine(3), database: undefined, server: 'away' },
  ]
  expect(tableOf({ machines, commands: 0 }, 12.34)).toEqual([
    'machine    database     state    behind   server  writer',
    'machine-1  leads        running           ready',
    'machine-2  synchronous  running  2 kB     ready   writes',
    'machine-3  away                  unknown  away',
    '',
    'commands a second: 12.3',
  ])
})

test('the rate is never negative when a server ends with its count', () => {
  expect(ratePerSecond(100, 150, 2_000)).toBe(25)
  expect(ratePerSecond(150, 40, 1_000)).toBe(0)
})
