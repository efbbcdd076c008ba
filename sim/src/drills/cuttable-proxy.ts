import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Ends } from './drill.ts'

/** A connection between two machines that a drill can cut, hang or direct elsewhere. */
export interface CuttableProxy {
  readonly port: number
  /** Nothing passes and nothing is closed, as when a cable is cut. */
  hang(): void
  /** Closes the connections that hang; new ones pass, to another port where one is named. */
  heal(port?: number): void
}

export async function startCuttableProxy(target: number, ends: Ends): Promise<CuttableProxy> {
  const sockets = new Set<Socket>()
  let targetPort = target
  let isHanging = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    if (isHanging) socket.pause()
  }
  const server = createServer((near) => {
    keep(near)
    if (isHanging) return
    const far = connect(targetPort, '127.0.0.1')
    keep(far)
    near.pipe(far)
    far.pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const closeAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  ends.push(async () => {
    closeAll()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    hang() {
      isHanging = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    heal(port = targetPort) {
      targetPort = port
      isHanging = false
      closeAll()
    },
  }
}
