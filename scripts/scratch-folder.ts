import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps this folder in memory. */
const MEMORY = '/dev/shm'
/** Several times what a whole run takes at its fullest: databases, profiles of browsers. */
const NEEDED_BYTES = 4 * 2 ** 30

/**
 * Makes the folder for all that tests make and throw away. They copy databases by the hundred, for which many a disk lets
 * them wait longer than for all their work: so it lies in memory, where there is room.
 */
export async function makeScratchFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = (await inMemory()) ?? (await newFolder(tmpdir()))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

async function inMemory(): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  if (bavail * bsize < NEEDED_BYTES) return undefined
  const folder = await newFolder(MEMORY).catch(() => undefined)
  if (folder === undefined || (await canRunPrograms(folder))) return folder
  await rm(folder, { recursive: true, force: true })
  return undefined
}

async function newFolder(within: string): Promise<string> {
  const folder = await mkdtemp(join(within, 'clearwell-tests-'))
  // PostgreSQL runs as another user, with its own folder in this one.
  await chmod(folder, 0o711)
  return folder
}

/** Containers may forbid it there, and there are tests that write programs. */
async function canRunPrograms(folder: string): Promise<boolean> {
  const program = join(folder, 'program')
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  await rm(program)
  return status === 0
}
