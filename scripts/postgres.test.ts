import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findPostgres, startPostgres } from './postgres.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearwell-test-'))
  // Open to the user that PostgreSQL runs as when we are root.
  chmodSync(folder, 0o755)
  vi.stubEnv('TMPDIR', folder)
})

/** All that is left but the reserved ports, which are kept for ten minutes. */
const left = () => readdirSync(folder).filter((name) => name !== 'clearwell-ports')

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

test.runIf(findPostgres())('a throwaway PostgreSQL accepts connections until stopped and leaves nothing', async () => {
  const postgres = await startPostgres({ fsync: false })
  expect(left()).toHaveLength(1)
  expect(await connects(postgres.url)).toBe(true)
  await Promise.all([postgres.stop(), postgres.stop()])
  expect(await connects(postgres.url)).toBe(false)
  expect(left()).toEqual([])
})

test.runIf(findPostgres())('a PostgreSQL that does not start says why and leaves nothing behind', async () => {
  await expect(startPostgres({ fsync: false, settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
    'shared_buffers',
  )
  expect(left()).toEqual([])
})

function connects(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port: Number(new URL(url).port) })
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
