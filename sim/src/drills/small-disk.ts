import { execFile } from 'node:child_process'
import { mkdir, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { CannotRun, type Ends } from './drill.ts'

const run = promisify(execFile)
const BLOCK = Buffer.alloc(64 * 1024)

/** Mounts a small disk in memory, such as one of `400m`, at a folder that is made. @throws CannotRun without root. */
export async function mountDisk(
  {
    folder,
    size,
    owner,
  }: { readonly folder: string; readonly size: string; readonly owner?: { uid: number; gid: number } | undefined },
  ends: Ends,
): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new CannotRun('mounting a disk needs root on Linux')
  await mkdir(folder, { recursive: true })
  const mode = owner ? `mode=0700,uid=${owner.uid},gid=${owner.gid}` : 'mode=1777'
  await run('mount', ['-t', 'tmpfs', '-o', `size=${size},${mode}`, 'tmpfs', folder]).catch((error: Error) => {
    throw new CannotRun(`no disk can be mounted: ${error.message.split('\n')[0]}`)
  })
  ends.push(() => run('umount', [folder]))
}

/** Writes a file until nothing is left of the disk. */
export async function fill(file: string): Promise<void> {
  const handle = await open(file, 'a')
  try {
    for (;;) await handle.write(BLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    await handle.close()
  }
}
