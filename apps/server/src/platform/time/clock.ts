import { readFile, rename, writeFile } from 'node:fs/promises'

export interface Clock {
  now(): Date
}

/** A clock that the local profile can move forward. How far it was moved outlives a restart. */
export interface MovableClock extends Clock {
  advance(ms: number): Promise<void>
  /** How far it is behind the real time, in milliseconds: above zero only while demo data is being filled in. */
  readonly behindMs: number
}

export const systemClock: Clock = { now: () => new Date() }

/**
 * @param file where the offset is kept.
 * @param base the clock that is moved.
 * @param startsBackMs where no offset is kept: how long before the base it starts.
 */
export async function openMovableClock(
  file: string,
  base: Clock = systemClock,
  startsBackMs = 0,
): Promise<MovableClock> {
  const kept = await readFile(file, 'utf8').catch(() => String(-startsBackMs))
  let offsetMs = /^-?\d{1,15}$/.test(kept) ? Number(kept) : 0
  // One write after the other: each puts its own file into place.
  let lastWrite: Promise<unknown> = Promise.resolve()
  async function keep(): Promise<void> {
    await writeFile(`${file}.new`, String(offsetMs))
    await rename(`${file}.new`, file)
  }
  return {
    now: () => new Date(base.now().getTime() + offsetMs),
    get behindMs() {
      return Math.max(0, -offsetMs)
    },
    advance(ms) {
      offsetMs += ms
      const written = lastWrite.then(keep)
      lastWrite = written.catch(() => {})
      return written
    },
  }
}
