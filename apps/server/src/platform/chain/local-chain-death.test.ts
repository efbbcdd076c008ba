import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
}, 60_000)
afterAll(() => server.destroy())

test('a server reports its dead local chain once and is degraded', async () => {
  const ready = () => server.app.inject({ url: '/readyz' })
  expect((await ready()).json()).toEqual({ status: 'ready' })
  const pid = Number(await readFile(join(server.config.env.dataDir, 'chain/anvil.pid'), 'utf8'))
  process.kill(pid, 'SIGKILL')
  await expect.poll(async () => (await ready()).json()).toEqual({ status: 'degraded', parts: ['chain'] })
  expect(server.errors.filter(({ doing }) => doing === 'local chain')).toEqual([
    {
      error: expect.objectContaining({ message: 'the local chain exited unexpectedly: SIGKILL' }),
      doing: 'local chain',
    },
  ])
})
