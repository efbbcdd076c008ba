import { createDecipheriv, createECDH, createHmac, createPublicKey, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message as its device received it. */
export interface ReceivedPush {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The decrypted text; undefined for a path of no device. */
  readonly text: string | undefined
  /** The operator's contact, from a signature that the service has checked. */
  readonly subject: string
}

export type PushService = Awaited<ReturnType<typeof startPushService>>

/**
 * A browser's push service on the loopback address, with its devices. It decrypts messages as a browser would.
 *
 * @param nowMs the time that signatures are checked against: the real time.
 */
export async function startPushService(publicKey: string, nowMs: () => number) {
  const devices = new Map<string, { curve: ReturnType<typeof createECDH>; auth: Buffer }>()
  const received: ReceivedPush[] = []
  let next: { status: number; headers?: Record<string, string> } = { status: 201 }
  const faults: unknown[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const path = request.url ?? ''
    try {
      const device = devices.get(path)
      const text = device && decrypt(Buffer.concat(pieces), device.curve, device.auth)
      received.push({
        path,
        headers: request.headers,
        text,
        subject: subjectOf(request.headers.authorization, { publicKey, origin, nowMs: nowMs() }),
      })
    } catch (error) {
      faults.push(error)
    }
    response.writeHead(next.status, next.headers).end('as it says')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    received,
    /** Messages that could not be decrypted or were not signed by the key. A test expects none. */
    faults,
    /** A new device, as its browser describes it to the page. */
    newDevice() {
      const curve = createECDH('prime256v1')
      const auth = randomBytes(16)
      const path = `/send/${randomBytes(12).toString('base64url')}`
      devices.set(path, { curve, auth })
      return { endpoint: origin + path, p256dh: curve.generateKeys('base64url'), auth: auth.toString('base64url') }
    },
    /** Sets the response of the service from now on. */
    respondWith(status: number, headers: Record<string, string> = {}) {
      next = { status, headers }
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Decrypts by RFC 8188 and RFC 8291, with one record. */
function decrypt(body: Buffer, device: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + keyLength)
  const hmac = (key: Buffer, ...parts: (Buffer | string)[]) => {
    const hash = createHmac('sha256', key)
    for (const part of parts) hash.update(part)
    return hash.digest()
  }
  const shared = hmac(auth, device.computeSecret(sender))
  const secret = hmac(shared, 'WebPush: info\0', device.getPublicKey(), sender, '\x01')
  const key = hmac(salt, secret)
  const record = body.subarray(21 + keyLength)
  const decipher = createDecipheriv(
    'aes-128-gcm',
    hmac(key, 'Content-Encoding: aes128gcm\0\x01').subarray(0, 16),
    hmac(key, 'Content-Encoding: nonce\0\x01').subarray(0, 12),
  )
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('the padding is wrong')
  return padded.subarray(0, end).toString()
}

/** Checks the signature by the key that devices know, the audience and the time (RFC 8292). */
function subjectOf(
  authorization: string | undefined,
  { publicKey, origin, nowMs }: { publicKey: string; origin: string; nowMs: number },
): string {
  const [, token = '', key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? []
  if (key !== publicKey) throw new Error('signed with another key than devices know')
  const [header = '', payload = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(point, 1), y: coordinate(point, 33) }
  const signed = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!signed) throw new Error('the signature is wrong')
  const { aud, exp, sub } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const leftS = exp - nowMs / 1_000
  if (aud !== origin || leftS <= 0 || leftS > 86_400) throw new Error(`for ${aud}, for ${leftS} s`)
  return sub
}

function coordinate(point: Buffer, start: number): string {
  return point.subarray(start, start + 32).toString('base64url')
}
