import { readFile, rename, writeFile } from 'node:fs/promises'

export interface Clock {
  now(): Date
}

/** A clock that the local profile can move forward. How far it was moved outlives a restart. */
export interface MovableClock extends Clock {
  advance(ms: number): Promise<void>
}

export const systemClock: Clock = { now: () => new Date() }

/**
 * @param file where the offset is kept.
 * @param base the clock that is moved.
 */
export async function openMovableClock(file: string, base: Clock = systemClock): Promise<MovableClock> {
  const kept = await readFile(file, 'utf8').catch(() => '0')
  let offsetMs = /^\d{1,15}$/.test(kept) ? Number(kept) : 0
  // One write after the other: each puts its own file into place.
  let lastWrite: Promise<unknown> = Promise.resolve()
  async function keep(): Promise<void> {
    await writeFile(`${file}.new`, String(offsetMs))
    await rename(`${file}.new`, file)
  }
  return {
    now: () => new Date(base.now().getTime() + offsetMs),
    advance(ms) {
      offsetMs += ms
      const written = lastWrite.then(keep)
      lastWrite = written.catch(() => {})
      return written
    },
  }
}
