import { execFile } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { CannotRun, type Drill, type Ends } from './drill.ts'
import { openSite } from './site.ts'
import { startSwapLoad } from './swap-load.ts'

const run = promisify(execFile)
const DISK = '400m'
const BLOCK = Buffer.alloc(64 * 1024)
/** So long without an acknowledgement means that the disk is full for the ledger too. */
const SILENT_S = 5
const FILLED_MS = 90_000

/** A small disk in memory. */
async function mountDisk(ends: Ends): Promise<string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new CannotRun('mounting a disk needs root on Linux')
  const disk = join(tmpdir(), `clearwell-disk-${process.pid}`)
  await mkdir(disk)
  ends.push(() => rm(disk, { recursive: true, force: true }))
  await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=1777`, 'tmpfs', disk]).catch((error: Error) => {
    throw new CannotRun(`no disk can be mounted: ${error.message.split('\n')[0]}`)
  })
  ends.push(() => run('umount', [disk]))
  return disk
}

/** Writes a file until nothing is left of the disk. */
async function fill(file: string): Promise<void> {
  const handle = await open(file, 'a')
  try {
    for (;;) await handle.write(BLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    await handle.close()
  }
}

export const drill: Drill = {
  about: 'the disk of the database is full under load, and then has room again',
  isQuick: false,
  async run(ends) {
    const disk = await mountDisk(ends)
    const site = await openSite(ends, { within: disk })
    const first = await site.startServer('first')
    const second = await site.startServer('second')
    const load = startSwapLoad({ urls: () => [first.url, second.url], tokens: site.tokens })
    await load.acknowledge(100, 30_000)
    const ballast = join(disk, 'ballast')
    const fullMs = performance.now()
    while (load.longestGapSince(fullMs) < SILENT_S) {
      if (performance.now() - fullMs > FILLED_MS) throw new Error('the full disk stopped no command')
      await fill(ballast)
      await wait(200)
    }
    await rm(ballast)
    const hasEnded = site.postgres.hasEnded()
    if (hasEnded) await site.postgres.startAgain()
    const roomMs = performance.now()
    await load.acknowledge(100, 90_000)
    const secondsToRecovery = load.longestGapSince(roomMs)
    const ended = hasEnded ? 'PostgreSQL ended and was started by the drill' : 'PostgreSQL went on alone'
    return { ...(await site.conclude(load)), secondsToRecovery, notes: `seconds since there was room; ${ended}` }
  },
}
