import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startPostgres, type ThrowawayPostgres } from './postgres.ts'

const run = promisify(execFile)

/** Starts a real standby of this server, by the name `standby1`. */
export async function startStandby(
  { url, binaries }: ThrowawayPostgres,
  ends: (() => Promise<unknown>)[],
): Promise<ThrowawayPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-standby-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  // PostgreSQL runs as another user where this runs as root.
  await chmod(folder, 0o777)
  const data = join(folder, 'data')
  const source = `${url}?application_name=standby1`
  await run(join(binaries, 'pg_basebackup'), ['-d', source, '-D', data, '-R', '-c', 'fast'])
  const { password } = new URL(url)
  const standby = await startPostgres({ fsync: false, copyOf: { data, password } })
  ends.push(standby.stop)
  return standby
}
