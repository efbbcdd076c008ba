import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Drill } from './drill.ts'
import { openSite } from './site.ts'
import { fill, mountDisk } from './small-disk.ts'
import { startSwapLoad } from './swap-load.ts'

const DISK = '400m'
/** So long without an acknowledgement means that the disk is full for the ledger too. */
const SILENT_S = 5
const FILLED_MS = 90_000

export const drill: Drill = {
  about: 'the disk of the database is full under load, and then has room again',
  isQuick: false,
  async run(ends) {
    const disk = join(tmpdir(), `clearwell-disk-${process.pid}`)
    ends.push(() => rm(disk, { recursive: true, force: true }))
    await mountDisk({ folder: disk, size: DISK }, ends)
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
