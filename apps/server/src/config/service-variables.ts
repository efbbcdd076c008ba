import { createECDH } from 'node:crypto'
import { ConfigError } from './config-error.ts'
import { httpUrl, port, secretBytes } from './variable-kinds.ts'
import type { Variables } from './variables.ts'

/** Where the metrics are served. */
export interface MetricsAddress {
  readonly host: string
  readonly port: number
  /** The operator has chosen the port: another one must not be taken instead. */
  readonly isChosen: boolean
}

/** Where spans of requests are sent. */
export interface TracingVariables {
  /** May hold a key. */
  readonly url: string
  /** A secret, in the form `name=value,name=value`. */
  readonly headers: string | undefined
  /** The part of the traces that is recorded, from 0 to 1. */
  readonly ratio: number
}

/** Where alarms are sent. */
export interface AlarmWebhookAddress {
  /** A secret: chat services put a key in it. */
  readonly url: string
  /** A secret: it signs each message. */
  readonly key: Uint8Array
}

/** The operator's key pair for Web Push (RFC 8292), in base64url, and the contact for a push service. */
export interface VapidKeys {
  readonly publicKey: string
  /** A secret. */
  readonly privateKey: string
  readonly subject: string
}

/** A bookkeeper that signs the headers beside the root key. */
export interface BookkeeperAddress {
  /** Without a slash at its end. */
  readonly url: string
  /** Of its key, in lower case. */
  readonly address: `0x${string}`
  /** A secret of 32 bytes: it reads the ledger with it. */
  readonly token: Uint8Array
}

/** Derived from the server's port, so that two servers on one machine do not meet. */
const METRICS_PORT_OFFSET = 6_464

export function metricsAddress({ PORT, METRICS_PORT, METRICS_HOST }: Variables): MetricsAddress | undefined {
  if (METRICS_PORT === 'off') return undefined
  const host = METRICS_HOST || '127.0.0.1'
  if (METRICS_PORT) return { host, port: port('METRICS_PORT', METRICS_PORT, 0), isChosen: true }
  const appPort = port('PORT', PORT, 3000)
  const derived = appPort === 0 ? 0 : appPort + METRICS_PORT_OFFSET
  return { host, port: derived > 65_535 ? 0 : derived, isChosen: false }
}

export function tracing(variables: Variables): TracingVariables | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_TRACES_SAMPLER_ARG } = variables
  const address = httpUrl('OTEL_EXPORTER_OTLP_ENDPOINT', OTEL_EXPORTER_OTLP_ENDPOINT)
  if (!address) return undefined
  const ratio = Number(OTEL_TRACES_SAMPLER_ARG || '1')
  if (!(ratio >= 0 && ratio <= 1))
    throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG is "${OTEL_TRACES_SAMPLER_ARG}", it must be a number from 0 to 1.`)
  return { url: `${address.replace(/\/+$/, '')}/v1/traces`, headers, ratio }
}

/** The first bookkeeper, and the one that signs while the first one is away. */
export function bookkeepers(variables: Variables): readonly BookkeeperAddress[] {
  const [first, second] = [bookkeeper(variables, ''), bookkeeper(variables, '_2')]
  if (!first) {
    if (second) throw new ConfigError('BOOKKEEPER_URL_2 is set without BOOKKEEPER_URL.')
    return []
  }
  if (!second) return [first]
  // Two processes with one key could sign different statements about one header.
  if (first.address === second.address)
    throw new ConfigError(
      'BOOKKEEPER_ADDRESS and BOOKKEEPER_ADDRESS_2 must be different: each bookkeeper has its own key.',
    )
  return [first, second]
}

/** All three or none. */
function bookkeeper(variables: Variables, suffix: '' | '_2'): BookkeeperAddress | undefined {
  const names = [`BOOKKEEPER_URL${suffix}`, `BOOKKEEPER_ADDRESS${suffix}`, `BOOKKEEPER_TOKEN${suffix}`] as const
  const [urlName, addressName, tokenName] = names
  const address = variables[addressName]
  const url = httpUrl(urlName, variables[urlName])
  const token = secretBytes(tokenName, variables[tokenName])
  if (!url && !address && !token) return undefined
  if (!url || !address || !token)
    throw new ConfigError(`${urlName}, ${addressName} and ${tokenName} must be set together or not at all.`)
  if (!/^0x[0-9a-fA-F]{40}$/.test(address))
    throw new ConfigError(`${addressName} is "${address}", it must be an address.`)
  return { url: url.replace(/\/+$/, ''), address: address.toLowerCase() as `0x${string}`, token }
}

/** Both or none. No value is repeated: both are secrets. */
export function alarmWebhook({ ALARM_WEBHOOK_URL, ALARM_WEBHOOK_KEY }: Variables): AlarmWebhookAddress | undefined {
  const address = httpUrl('ALARM_WEBHOOK_URL', ALARM_WEBHOOK_URL)
  if (!address && !ALARM_WEBHOOK_KEY) return undefined
  if (!address || !ALARM_WEBHOOK_KEY)
    throw new ConfigError('ALARM_WEBHOOK_URL and ALARM_WEBHOOK_KEY must be set together or not at all.')
  const text = ALARM_WEBHOOK_KEY.replace(/^whsec_/, '')
  const key = /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0)
  if (key.length < 24 || key.length > 64)
    throw new ConfigError('ALARM_WEBHOOK_KEY is not a valid key: it must be 24 to 64 bytes in base64.')
  return { url: address, key }
}

/** All three or none. No value is repeated: one of them is a secret. */
export function vapidKeys(variables: Variables): VapidKeys | undefined {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = variables
  if (!publicKey && !privateKey && !subject) return undefined
  if (!publicKey || !privateKey || !subject)
    throw new ConfigError('VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY and VAPID_SUBJECT must be set together or not at all.')
  if (!isKeyPair(publicKey, privateKey)) {
    throw new ConfigError(
      'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are not a valid pair: they must be a point of P-256 and its key, 65 and 32 bytes in base64url.',
    )
  }
  if (!/^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]+\S*)$/.test(subject))
    throw new ConfigError('VAPID_SUBJECT must be a mailto: or https: address that push services can write to.')
  return { publicKey, privateKey, subject }
}

function isKeyPair(publicKey: string, privateKey: string): boolean {
  if (!/^[\w-]{87}$/.test(publicKey) || !/^[\w-]{43}$/.test(privateKey)) return false
  const curve = createECDH('prime256v1')
  try {
    curve.setPrivateKey(privateKey, 'base64url')
  } catch {
    return false
  }
  return curve.getPublicKey('base64url') === publicKey
}
