import { connect, type Socket } from 'node:net'

const NOTHING: Buffer = Buffer.alloc(0)
const HEAD_END: Buffer = Buffer.from('\r\n\r\n')
/** As Node's server writes it. */
const LENGTH_FIELD: Buffer = Buffer.from('\r\ncontent-length: ')

/**
 * One keep-alive HTTP connection with one request in progress at a time. It uses the bare socket, because the client
 * shares the machine with the server that it measures: Node's own HTTP clients cost more than the server does.
 */
export class Connection {
  #socket: Socket
  #received: Buffer = NOTHING
  #waiting: { resolve(body: string): void; reject(error: Error): void } | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('error', (error) => this.#waiting?.reject(error))
    socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection')))
  }

  static open(url: URL): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(url.port), url.hostname)
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.off('error', reject)
        resolve(new Connection(socket))
      })
    })
  }

  /** Sends a whole request, head and body, and returns the body of the response. */
  send(request: string): Promise<string> {
    if (this.#waiting) throw new Error('a request is under way')
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#waiting = undefined
    this.#socket.destroy()
  }

  #receive(chunk: Buffer): void {
    const bytes = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const headEnd = bytes.indexOf(HEAD_END)
    const field = headEnd < 0 ? -1 : bytes.indexOf(LENGTH_FIELD)
    if (headEnd >= 0 && (field < 0 || field > headEnd)) {
      this.#waiting?.reject(new Error('an answer without its length'))
      return
    }
    const length = Number.parseInt(
      bytes.toString('latin1', field + LENGTH_FIELD.length, field + LENGTH_FIELD.length + 10),
      10,
    )
    const end = headEnd + HEAD_END.length + length
    if (headEnd < 0 || bytes.length < end) {
      this.#received = bytes
      return
    }
    this.#received = bytes.length === end ? NOTHING : bytes.subarray(end)
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.resolve(bytes.toString('utf8', headEnd + HEAD_END.length, end))
  }
}
