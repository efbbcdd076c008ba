import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Another process uses the data folder. Its message is one sentence for the operator. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse'
}

/**
 * Takes the data folder for this process. PGlite takes no lock of its own, and two processes on one folder destroy it.
 * A lock left by a process that is gone is taken over.
 *
 * @returns how to give it back.
 * @throws DataFolderInUse while the process that holds it lives.
 */
export async function lockDataFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'lock')
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const handle = await open(file, 'wx')
      await handle.writeFile(`${process.pid} ${await startTime(process.pid)}`)
      await handle.close()
      return () => rm(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const [pid = '', started = ''] = (await readFile(file, 'utf8').catch(() => '')).split(' ')
    // Between its creation and its content the file is empty: whoever made it is alive and about to write.
    if (pid === '' && attempt === 0) await new Promise((resolve) => setTimeout(resolve, 200))
    else if (pid !== '' && (await isAlive(Number(pid), started))) {
      throw new DataFolderInUse(
        `The data folder ${folder} is in use by process ${pid}. End it first, or set DATA_DIR to another folder.`,
      )
    } else await rm(file, { force: true })
  }
  throw new DataFolderInUse(`The data folder ${folder} is in use by another process that is just starting.`)
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
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
