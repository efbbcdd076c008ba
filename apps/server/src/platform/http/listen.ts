import type { FastifyInstance } from 'fastify'
import { ConfigError } from '../../config/config-error.ts'
import { isPortFree } from './ports.ts'

/** @throws ConfigError before anything is opened, when another process listens on the port. Port 0 takes a free one. */
export async function refuseTakenPort(port: number): Promise<void> {
  if (port !== 0 && !(await isPortFree(port))) throw portTaken(port)
}

/**
 * Listens, and returns the port.
 *
 * @throws ConfigError when another process has taken the port since it was checked.
 */
export async function listen(app: FastifyInstance, address: { port: number; host: string }): Promise<number> {
  await app.listen(address).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? portTaken(address.port) : error
  })
  const bound = app.server.address()
  return typeof bound === 'object' && bound ? bound.port : address.port
}

function portTaken(port: number): ConfigError {
  return new ConfigError(`Port ${port} is taken. Set PORT to another, or stop the process that uses it.`)
}
