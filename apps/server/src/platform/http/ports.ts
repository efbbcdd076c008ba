import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections, of which the many of a busy machine change all the time. */
const [FIRST, END] = [20_000, 32_000]

/** A loopback port that nothing listens on now. Another program may take it before it is used. */
export async function freePort(): Promise<number> {
  const port = randomInt(FIRST, END)
  return (await isPortFree(port)) ? port : freePort()
}

/** Returns whether something could listen on a loopback port now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
