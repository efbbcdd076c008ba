import { randomInt } from 'node:crypto'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Below the ports that systems give to outgoing connections, of which the many of a busy machine change all the time. */
const [FIRST, END] = [20_000, 32_000]
/** Longer than the slowest start of a program that listens on the port it was given. */
const RESERVED_MS = 10 * 60_000

/**
 * A loopback port that nothing listens on now, and that no other call gets in the next ten minutes, in any process with the same
 * folder for temporary files. Without that, one of several hundred starts of a test run loses its port to another.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(FIRST, END)
  return reserve(port) && (await isPortFree(port)) ? port : freePort()
}

/** Reserves a port with a file, which only one process can create. */
function reserve(port: number): boolean {
  const folder = join(tmpdir(), 'clearwell-ports')
  const file = join(folder, String(port))
  mkdirSync(folder, { recursive: true })
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (age > RESERVED_MS) rmSync(file, { force: true })
  try {
    writeFileSync(file, '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Returns whether something could listen on a loopback port now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
