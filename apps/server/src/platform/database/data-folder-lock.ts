import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Another process uses the data folder. Its message is one sentence for the operator. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse'
}

const ATTEMPTS = 10
/** Longer than anybody needs to write a number into a file. */
const WRITING_MS = 200
/** After which a takeover that has not ended counts as broken off. */
const TAKEOVER_MS = 10_000

/**
 * Takes the data folder for this process. PGlite takes no lock of its own, and two processes on one folder destroy it.
 * A lock left by a process that is gone is taken over, by one of those that find it.
 *
 * @returns how to give it back.
 * @throws DataFolderInUse while the process that holds it lives.
 */
export async function lockDataFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'lock')
  const own = `${process.pid} ${await startTime(process.pid)}`
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await create(file, own)) return () => rm(file, { force: true })
    const found = await readFile(file, 'utf8').catch(() => undefined)
    // Given back between the two.
    if (found === undefined) continue
    const [pid = '', started = ''] = found.split(' ')
    if (pid !== '' && (await isAlive(Number(pid), started))) {
      throw new DataFolderInUse(
        `The data folder ${folder} is in use by process ${pid}. End it first, or set DATA_DIR to another folder.`,
      )
    }
    // Between its creation and its content the file is empty: whoever made it is alive and about to write.
    if (pid !== '' || attempt > 0) {
      if (await takeOver(file, found, own)) return () => rm(file, { force: true })
    }
    await new Promise((resolve) => setTimeout(resolve, WRITING_MS))
  }
  throw new DataFolderInUse(`The data folder ${folder} is in use by another process that is just starting.`)
}

/** Makes a file, unless it is there. */
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
 * Replaces a lock that was found stale. One process at a time, and only while the lock is still what was found: another
 * that found the same may have it by now, and a lock that is simply removed may be that one's.
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
    // Renamed into place, so that the lock is never without its content.
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
  // After a reboot the number may belong to another process: only the same start time is the same process.
  return started === '' || started === (await startTime(pid))
}

/** When a process started, in the kernel's own count, or nothing where the system does not tell. */
async function startTime(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
