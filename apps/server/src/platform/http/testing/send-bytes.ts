import { connect } from 'node:net'

export interface RawResponse {
  readonly status: number
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Longer than any call takes on a busy machine. */
const PATIENCE_MS = 20_000

/**
 * Sends bytes to a port of this machine as they are, and reads the first response.
 *
 * @param isCut the sender ends its side after the bytes, as a client does that dies in the middle of a request.
 * @returns `undefined` where the server closed the connection without a word.
 */
export function sendBytes(port: number, bytes: Buffer, { isCut = false } = {}): Promise<RawResponse | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const finish = () => {
      clearTimeout(timer)
      resolve(readResponse(Buffer.concat(chunks)))
      socket.destroy()
    }
    const timer = setTimeout(() => {
      reject(new Error(`no response within ${PATIENCE_MS} ms, after ${Buffer.concat(chunks).length} bytes`))
      socket.destroy()
    }, PATIENCE_MS)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (isWhole(Buffer.concat(chunks))) finish()
    })
    socket.on('end', finish)
    // The server may refuse a long request before it has read the rest of it.
    socket.on('error', () => {})
    socket.on('close', finish)
    if (isCut) socket.end(bytes)
    else socket.write(bytes)
  })
}

function isWhole(received: Buffer): boolean {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = /^content-length: (\d+)$/im.exec(received.toString('latin1', 0, end))?.[1]
  return length !== undefined && received.length >= end + 4 + Number(length)
}

function readResponse(received: Buffer): RawResponse | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [first = '', ...lines] = received.toString('latin1', 0, end).split('\r\n')
  const headers = new Map(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(first.split(' ')[1]), headers, body: received.toString('utf8', end + 4) }
}
