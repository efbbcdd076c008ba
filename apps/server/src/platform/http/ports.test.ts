import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, isPortFree } from './ports.ts'

test('no two calls get the same port, though neither uses it yet', async () => {
  const ports: number[] = []
  for (let i = 0; i < 400; i++) ports.push(await freePort())
  expect(new Set(ports).size).toBe(ports.length)
})

test('a port that something listens on is not free', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  expect(await isPortFree((server.address() as AddressInfo).port)).toBe(false)
})
