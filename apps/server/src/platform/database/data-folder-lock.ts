import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Another process uses the data folder. Its message is one sentence for the operator. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse'
}

const ATTEMPTS = 10
/** Longer than a process needs to write its number into the file. */
const WRITING_MS = 200
/** After this time an unfinished takeover counts as abandoned. */
const TAKEOVER_MS = 10_000

/** How often a process that waits for the folder looks again. */
const LOOK_EVERY_MS = 100

/**
 * Locks the data folder as {@link lockDataFolder} does, and waits for a process that may be shutting down.
 *
 * @param onWait receives one sentence for the operator when the wait begins.
 * @throws DataFolderInUse if the folder is still in use after `waitMs`.
 */
export async function lockDataFolderWhenFree(
  folder: string,
  { waitMs, onWait }: { waitMs: number; onWait: (text: string) => void },
): Promise<() => Promise<void>> {
  const deadlineMs = performance.now() + waitMs
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await lockDataFolder(folder)
    } catch (error) {
      if (!(error instanceof DataFolderInUse) || performance.now() > deadlineMs) throw error
      const limit = `up to ${Math.ceil(waitMs / 1000)} seconds`
      if (isFirst) onWait(`waiting ${limit} for another process to release the data folder ${folder}`)
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

/**
 * Locks the data folder for this process. PGlite has no lock, and two processes on one folder destroy it. Exactly one
 * process takes over a lock whose owner has died.
 *
 * @returns a function that releases the lock.
 * @throws DataFolderInUse while the owner is alive.
 */
export async function lockDataFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'lock')
  const own = `${process.pid} ${await startTime(process.pid)}`
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await create(file, own)) return () => rm(file, { force: true })
    const found = await readFile(file, 'utf8').catch(() => undefined)
    // The lock was released between the two calls.
    if (found === undefined) continue
    const [pid = '', started = ''] = found.split(' ')
    if (pid !== '' && (await isAlive(Number(pid), started))) {
      throw new DataFolderInUse(
        `The data folder ${folder} is in use by process ${pid}. End it first, or set DATA_DIR to another folder.`,
      )
    }
    // A new lock file is briefly empty: its creator is alive and about to write.
    if (pid !== '' || attempt > 0) {
      if (await takeOver(file, found, own)) return () => rm(file, { force: true })
    }
    await new Promise((resolve) => setTimeout(resolve, WRITING_MS))
  }
  throw new DataFolderInUse(`The data folder ${folder} is in use by another process that is just starting.`)
}

/** Creates a file unless it exists. */
async function create(file: string, content: string): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Replaces a stale lock. One process at a time, and only if the lock is unchanged: another process may have taken it over
 * meanwhile, and removing the file could remove that process's lock.
 */
async function takeOver(file: string, found: string, own: string): Promise<boolean> {
  const guard = `${file}.takeover`
  if (!(await create(guard, own))) {
    const since = (await stat(guard).catch(() => undefined))?.mtimeMs ?? Date.now()
    if (Date.now() - since > TAKEOVER_MS) await rm(guard, { force: true })
    return false
  }
  try {
    if ((await readFile(file, 'utf8').catch(() => undefined)) !== found) return false
    // Renamed into position, so that the lock always has its content.
    await writeFile(`${file}.new`, own)
    await rename(`${file}.new`, file)
    return true
  } finally {
    await rm(guard, { force: true })
  }
}

async function isAlive(pid: number, started: string): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  // After a reboot the number may belong to another process. Only an equal start time proves that it is the same one.
  return started === '' || started === (await startTime(pid))
}

/** Reads a process's start time in kernel ticks; `undefined` if the system does not provide it. */
async function startTime(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
