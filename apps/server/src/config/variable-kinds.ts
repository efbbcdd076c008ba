import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ConfigError } from './config-error.ts'

// Each parser takes the name of a variable and its text, and throws ConfigError for a text that is not of its kind.

/** Source: SEC 2, 2.4.1. */
const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

export function isOn(name: string, text: string | undefined, fallback = false): boolean {
  if (text === undefined || text === '') return fallback
  if (text !== 'on' && text !== 'off') throw new ConfigError(`${name} is "${text}", it must be on or off.`)
  return text === 'on'
}

export function port(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined || text === '') return fallback
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= 65_535)) throw new ConfigError(`${name} is "${text}", it must be a port number from 0 to 65535.`)
  return value
}

export function postgresUrl(name: string, text: string | undefined): string | undefined {
  return url(name, text, /^postgres(ql)?:$/)
}

export function httpUrl(name: string, text: string | undefined): string | undefined {
  return url(name, text, /^https?:$/)
}

/** Several addresses with commas between them. */
export function urls(name: string, text: string | undefined, protocol: RegExp): string[] {
  const found = (text || '').split(',').flatMap((each) => url(name, each.trim(), protocol) ?? [])
  if (new Set(found).size < found.length) throw new ConfigError(`${name} names the same address twice.`)
  return found
}

/** The value is never repeated: it is a secret. */
export function privateKey(name: string, text: string | undefined): `0x${string}` | undefined {
  if (text === undefined || text === '') return undefined
  // Zero and what is above the order of the curve are no keys.
  const key = /^0x[0-9a-fA-F]{64}$/.test(text) ? BigInt(text) : 0n
  if (key === 0n || key >= SECP256K1_ORDER) {
    throw new ConfigError(`${name} is not a valid private key: it must be 0x and 64 hex characters.`)
  }
  return text as `0x${string}`
}

/** The value is never repeated: it is a secret. */
export function secretBytes(name: string, text: string | undefined): Uint8Array | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^0x[0-9a-fA-F]{64}$/.test(text))
    throw new ConfigError(`${name} is not a valid key: it must be 0x and 64 hex characters.`)
  return Buffer.from(text.slice(2), 'hex')
}

/** Reads a file now, so that a wrong name ends the start and not the first forwarded command. */
export function certificates(name: string, path: string | undefined): string | undefined {
  if (path === undefined || path === '') return undefined
  try {
    const pem = readFileSync(path, 'utf8')
    void new X509Certificate(pem)
    return pem
  } catch {
    throw new ConfigError(`${name} is "${path}", it must be a file with certificates in PEM.`)
  }
}

function url(name: string, text: string | undefined, protocol: RegExp): string | undefined {
  if (text === undefined || text === '') return undefined
  // The value itself is not repeated: it may hold a password.
  if (!URL.canParse(text) || !protocol.test(new URL(text).protocol))
    throw new ConfigError(`${name} is not a valid address.`)
  return text
}
