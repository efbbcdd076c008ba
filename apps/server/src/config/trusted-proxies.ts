import { isIP } from 'node:net'
import { ConfigError } from './config-error.ts'

const LOOPBACK = ['127.0.0.0/8', '::1/128'] as const
/** The widest private networks, 10.0.0.0/8 and fc00::/7. Proxies share no wider one. */
const LEAST_PREFIX: Readonly<Record<number, number>> = { 4: 8, 6: 7 }
const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

/**
 * Reads the proxies that may name the client of a request.
 *
 * @param text addresses and networks with commas between them, `none`, or nothing for this machine alone.
 * @throws ConfigError for an entry that is malformed, or a network that holds more than proxies.
 */
export function readProxies(text: string | undefined): readonly string[] {
  if (text === undefined || text.trim() === '') return LOOPBACK
  if (text.trim() === 'none') return []
  const entries = text.split(',').map((entry) => entry.trim())
  for (const entry of entries) checkEntry(entry)
  return entries
}

function checkEntry(entry: string): void {
  const [, address = '', prefix] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(entry) ?? []
  const family = isIP(address)
  const bits = prefix === undefined ? BITS[family] : Number(prefix)
  if (family === 0 || bits === undefined || bits > (BITS[family] ?? 0)) {
    throw new ConfigError(
      `TRUSTED_PROXIES contains "${entry}", each entry must be an address or a network such as 10.0.0.5 or fd00::/64.`,
    )
  }
  const least = LEAST_PREFIX[family] ?? 0
  if (bits < least) {
    throw new ConfigError(
      `TRUSTED_PROXIES contains "${entry}", which trusts far more than proxies: a network needs a prefix of at least ${least} bits.`,
    )
  }
}
