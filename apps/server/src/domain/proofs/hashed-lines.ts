import { hash } from 'node:crypto'

/** Writes the lines of a file in which the first line that was changed later is found. */
export interface HashedLines {
  /** Returns a value as the next line, which begins with `sha256(hash of the line before || text)`. */
  line(value: unknown): string
  /** Returns the last line, with the number of those before. @param more fields of it */
  end(more?: object): string
}

export function hashedLines(): HashedLines {
  let before = ''
  let lines = 0
  const line = (value: unknown) => {
    const text = JSON.stringify(value)
    before = hash('sha256', `${before}${text}`)
    lines += 1
    return `${before} ${text}\n`
  }
  return { line, end: (more = {}) => line({ end: lines, ...more }) }
}
