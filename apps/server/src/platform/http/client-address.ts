import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Bits of an IPv6 address that identify its owner, in groups of 16: a /64, the smallest network that is handed out. */
const NETWORK_GROUPS = 4

/** The client that limits count a request by. */
export function clientAddressOf({
  forwarded,
  ip,
  socket,
}: Pick<FastifyRequest, 'forwarded' | 'ip' | 'socket'>): string {
  return forwarded?.clientAddress ?? clientAddress({ ip, peer: socket.remoteAddress })
}

/**
 * The client that a request came from: an IPv4 address, or the /64 network of an IPv6 address.
 *
 * @param ip the client's address according to the trusted proxies.
 * @param peer the address of the connection, for a proxy that forwards no address.
 */
export function clientAddress({ ip, peer }: { readonly ip: string; readonly peer: string | undefined }): string {
  return networkOf(ip) ?? networkOf(withoutPort(ip)) ?? networkOf(peer ?? '') ?? 'unknown'
}

/** Some proxies append the port of the client. */
function withoutPort(address: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]{2,60})\]|([\d.]{7,15}))(?::\d{1,5})?$/.exec(address) ?? []
  return bracketed ?? plain ?? ''
}

/** The owner of an IPv6 address has 2^64 of them, so its network counts. `undefined` for text that is no address. */
function networkOf(address: string): string | undefined {
  const version = isIP(address)
  if (version !== 6) return version === 4 ? address : undefined
  const groups = groupsOf(address)
  const isIPv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isIPv4)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.')
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(':')
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? []
  const left = partsOf(head)
  const right = partsOf(tail ?? '')
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
}

function partsOf(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number)
    return [(a << 8) | b, (c << 8) | d]
  })
}
