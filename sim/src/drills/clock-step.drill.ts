import { existsSync, globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CannotRun, type Drill } from './drill.ts'
import { openSite, withDatabase } from './site.ts'
import { startSwapLoad } from './swap-load.ts'

const STEP_MS = 5_000
const STEPS = ['+2h', '-1h', '+0']
/** No entry may be dated farther from the database's time. */
const FARTHEST_S = 120

export const drill: Drill = {
  about: 'the clock of the leader jumps two hours ahead, then an hour back, under load',
  isQuick: false,
  async run(ends) {
    const [library] = globSync('/usr/lib/*/faketime/libfaketime.so.1')
    if (library === undefined || !existsSync(library))
      throw new CannotRun('libfaketime is not installed (Debian: faketime)')
    const site = await openSite(ends)
    const file = join(site.folder, 'time')
    await writeFile(file, '+0')
    const first = await site.startServer('first', {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    })
    const load = startSwapLoad({ urls: () => [first.url], tokens: site.tokens })
    await load.acknowledge(100, 30_000)
    const steppedMs = performance.now()
    for (const step of STEPS) {
      await writeFile(file, step)
      await wait(STEP_MS)
      await load.acknowledge(50, 60_000)
    }
    const secondsToRecovery = load.longestGapSince(steppedMs)
    const counts = await site.conclude(load)
    const [alarms, wrong] = await withDatabase(site.adminUrl, async (db) => [
      await db.query("select message from alarms where kind = 'clock_step'"),
      await db.query(`select seq from entries where abs(extract(epoch from at - clock_timestamp())) > ${FARTHEST_S}`),
    ])
    if (wrong?.length !== 0) throw new Error(`${wrong?.length} entries have the time of the wrong clock`)
    if (alarms?.length === 0) throw new Error('no alarm clock_step was raised')
    return { ...counts, secondsToRecovery, notes: 'one server; alarm clock_step raised, every entry has the true time' }
  },
}
