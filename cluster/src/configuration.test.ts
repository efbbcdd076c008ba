import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deployFiles, EXAMPLE } from './deploy-files.ts'
import { etcdConfig } from './etcd-config.ts'
import { haproxyConfig } from './haproxy-config.ts'
import { localLayout, parseMachines, realLayout } from './layout.ts'
import { PATRONI_TIMES_S, patroniConfig } from './patroni-config.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy/cluster')
const LOCAL = localLayout({ prefix: '127.77.0', folder: '/f', binaries: '/b', serverHost: ({ address }) => address })

test('deploy/cluster has exactly the files of the templates', () => {
  const files = globSync('*/*', { cwd: DEPLOY })
  expect(new Map(files.map((path) => [path, readFileSync(join(DEPLOY, path), 'utf8')]))).toEqual(
    new Map([...deployFiles(EXAMPLE)]),
  )
})

test('one machine and real machines differ in places alone', () => {
  const real = realLayout(EXAMPLE)
  for (const template of [etcdConfig, patroniConfig, haproxyConfig]) {
    const texts = [LOCAL, real].map((layout) => {
      const machine = layout.machines[1]
      if (!machine) throw new Error('a layout has machines')
      const text = template(layout, machine).replaceAll('127.0.0.1:3000', `${machine.address}:3000`)
      return text.replaceAll(/\d+\.\d+\.\d+\.\d+(\/\d+)?/g, 'ADDRESS').replaceAll(/\/(f|b|var|usr|etc)\b\S*/g, 'PATH')
    })
    const withoutPorts = texts.map((text) => text.replaceAll(/(ADDRESS:|port )\d+/g, '$1PORT'))
    expect(withoutPorts[0]).toBe(withoutPorts[1])
  }
})

test('a machine names each machine of the cluster in etcd', () => {
  const real = realLayout(EXAMPLE)
  const text = etcdConfig(real, EXAMPLE[1] ?? { name: '', address: '' })
  expect(text).toContain('name: machine-2\n')
  expect(text).toContain('listen-client-urls: http://10.0.0.12:2379\n')
  expect(text).toContain(
    'initial-cluster: machine-1=http://10.0.0.11:2380,machine-2=http://10.0.0.12:2380,machine-3=http://10.0.0.13:2380\n',
  )
})

test('Patroni writes the leader only where it has not changed', () => {
  const [machine = { name: '', address: '' }] = LOCAL.machines
  // Patroni 3.0.2 does so by the v2 API of etcd alone (patroni/patroni#2689).
  expect(patroniConfig(LOCAL, machine)).toMatch(/^etcd:\n {2}hosts: /m)
  expect(etcdConfig(LOCAL, machine)).toContain('enable-v2: true\n')
})

test('Patroni’s times leave room for two attempts within the lease', () => {
  const { ttl, loopWait, retryTimeout } = PATRONI_TIMES_S
  expect(ttl).toBeGreaterThanOrEqual(loopWait + 2 * retryTimeout)
})

test('commits wait for a standby also while none is left', () => {
  const text = patroniConfig(LOCAL, LOCAL.machines[0] ?? { name: '', address: '' })
  expect(text).toContain('synchronous_mode: true\n')
  expect(text).toContain('synchronous_mode_strict: true\n')
  expect(text).toContain('synchronous_commit: "on"\n')
})

test('only the primary takes what the servers write', () => {
  const text = haproxyConfig(realLayout(EXAMPLE), EXAMPLE[0] ?? { name: '', address: '' })
  const [primary = ''] = /^listen primary\n( .*\n)+/m.exec(text) ?? []
  expect(primary).toContain('option httpchk OPTIONS /primary\n')
  expect(primary.match(/^ {2}server machine-\d 10\.0\.0\.1\d:5432 check port 8008$/gm)).toHaveLength(3)
})

test('machines are read from their names and addresses', () => {
  expect(parseMachines('a=10.0.0.1, b=10.0.0.2,c=10.0.0.3')).toEqual([
    { name: 'a', address: '10.0.0.1' },
    { name: 'b', address: '10.0.0.2' },
    { name: 'c', address: '10.0.0.3' },
  ])
  expect(() => parseMachines('a=10.0.0.1,b=10.0.0.2')).toThrow('three or more')
  expect(() => parseMachines('a=10.0.0.1,b=10.0.0.2,a=10.0.0.3')).toThrow('two machines have the same name')
  expect(() => parseMachines('a=10.0.0.1,b=10.0.0.2,c=10.0.0.2')).toThrow('two machines have the same address')
  expect(() => parseMachines('a=host.example,b=10.0.0.2,c=10.0.0.3')).toThrow('"a=host.example" is not name=address')
  expect(() => realLayout(parseMachines('a=10.0.0.1,b=10.0.0.2,c=10.0.1.3'))).toThrow('must share a /24 network')
})
