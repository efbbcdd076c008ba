import { type FileHandle, open, readFile, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A file of JSON lines that only grows. */
export interface LineLog {
  /** Writes values as lines, and returns once they are on the disk. */
  append(values: readonly unknown[]): Promise<void>
  close(): Promise<void>
}

/** Reads the whole lines of a file. @returns none if there is no file. */
export async function readLines(path: string): Promise<string[]> {
  const text = await readIfThere(path)
  return text.split('\n').slice(0, -1)
}

/** Opens the file, or makes it. A last line that a crash has cut off is removed. */
export async function openLineLog(path: string): Promise<LineLog> {
  const text = await readIfThere(path)
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) await truncate(path, Buffer.byteLength(whole))
  const file = await open(path, 'a', 0o600)
  await syncFolder(dirname(path))
  return { append: appender(file), close: () => file.close() }
}

function appender(file: FileHandle): LineLog['append'] {
  let broken: unknown
  return async (values) => {
    if (values.length === 0) return
    // After a failed write the end of the file is unknown. The next start finds it.
    if (broken !== undefined) throw broken
    try {
      await file.appendFile(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
      await file.datasync()
    } catch (error) {
      broken = error
      throw error
    }
  }
}

function readIfThere(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
}

/** The name of a new file is on the disk too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
