import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { type FileHandle, open, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StringDecoder } from 'node:string_decoder'

/** A file that only grows. Each line begins with `sha256(hash of the line before || text)`. */
export interface HashedLog {
  /** Writes values as lines, and returns once they are on the disk. */
  append(values: readonly unknown[]): Promise<void>
  close(): Promise<void>
}

const PREFIX = 65

/**
 * Opens the file, or makes it, and reads every line. A last line that a crash has cut off is removed.
 *
 * @param take receives the value of each line that was stored before.
 * @throws Error if a line was changed, or one before the last is missing.
 */
export async function openHashedLog(path: string, take: (value: unknown) => Promise<void>): Promise<HashedLog> {
  const read = existsSync(path) ? await readLines(path, take) : { hash: '', bytes: 0 }
  if (existsSync(path)) await truncate(path, read.bytes)
  const file = await open(path, 'a', 0o600)
  // The file's name is on the disk too, before anything in it counts.
  await syncFolderOf(path)
  return { append: appender(file, read.hash), close: () => file.close() }
}

function appender(file: FileHandle, before: string): HashedLog['append'] {
  let last = before
  let broken: unknown
  return async (values) => {
    if (values.length === 0) return
    // After a failed write the end of the file is unknown. The next start finds it.
    if (broken !== undefined) throw broken
    let hash = last
    const text = values.map((value) => {
      const json = JSON.stringify(value)
      hash = hashLine(hash, json)
      return `${hash} ${json}\n`
    })
    try {
      await file.appendFile(text.join(''))
      await file.datasync()
    } catch (error) {
      broken = error
      throw error
    }
    last = hash
  }
}

async function readLines(path: string, take: (value: unknown) => Promise<void>) {
  let hash = ''
  let bytes = 0
  let number = 0
  for await (const line of wholeLines(path)) {
    number += 1
    const text = line.slice(PREFIX)
    const expected = hashLine(hash, text)
    if (line.slice(0, PREFIX) !== `${expected} `) throw new Error(`line ${number} of ${path} was changed`)
    await take(JSON.parse(text))
    hash = expected
    bytes += Buffer.byteLength(line) + 1
  }
  return { hash, bytes }
}

/** Reads the lines that have their end. */
async function* wholeLines(path: string): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of createReadStream(path)) {
    const lines = `${rest}${decoder.write(chunk as Buffer)}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

async function syncFolderOf(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function hashLine(before: string, text: string): string {
  return createHash('sha256').update(`${before}${text}`).digest('hex')
}
