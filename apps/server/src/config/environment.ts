import { createECDH, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { ConfigError } from './config-error.ts'
import { readSecret, SECRET_VARIABLES } from './secret-files.ts'
import { readProxies } from './trusted-proxies.ts'
import type { VariableName, Variables } from './variables.ts'

export const PROFILES = ['local', 'staging', 'production'] as const
export type Profile = (typeof PROFILES)[number]

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Source: SEC 2, 2.4.1. */
const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Longer than load balancers take that ask every second or two. */
const DRAIN_MS = 5_000
const MAX_DRAIN_MS = 120_000

/** The operator's key pair for Web Push (RFC 8292), in base64url, and the contact for a push service. */
export interface VapidKeys {
  readonly publicKey: string
  /** A secret. */
  readonly privateKey: string
  readonly subject: string
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

/** Where the metrics are served. */
export interface MetricsAddress {
  readonly host: string
  readonly port: number
  /** The operator has chosen the port: another one must not be taken instead. */
  readonly isChosen: boolean
}

export interface Environment {
  readonly profile: Profile
  readonly port: number
  /** The address of this machine to listen on. */
  readonly host: string
  readonly dataDir: string
  /** A secret. Absent: PGlite in the data folder. */
  readonly databaseUrl: string | undefined
  /** The chain's nodes; the first one that works is asked. Empty, in the local profile: a chain of our own is started. */
  readonly chainRpcUrls: readonly string[]
  /** A second opinion: another node, which must report the chain as the first does. */
  readonly chainRpcUrlCheck: string | undefined
  readonly chainPort: number
  /** Where people open the app, for the sign-in message. Absent: http://127.0.0.1 and the port. */
  readonly publicUrl: string | undefined
  /** Where the other servers of the same ledger reach this one. Absent: this machine's loopback. */
  readonly serverUrl: string | undefined
  /** A secret of 32 bytes that the servers of the ledger share: it signs what they forward. */
  readonly serverKey: Uint8Array | undefined
  /** The certificates, in PEM, that sign those of the other servers. Absent: the ones that Node trusts. */
  readonly serverCa: string | undefined
  /** How long the server goes on serving after the signal to stop, in milliseconds. */
  readonly drainMs: number
  /** The node that browsers talk to, readable by everyone. Absent, in the local profile: the chain's own. */
  readonly publicRpcUrl: string | undefined
  /** Proxies in front of the server, as addresses and networks. Only they may name the client of a request. */
  readonly trustedProxies: readonly string[]
  /** A secret: signs vouchers. Absent, in the local profile: the key that every local chain has. */
  readonly signerKey: `0x${string}` | undefined
  /** A secret of 32 bytes: the seeds of the blind boxes derive from it. Absent, in the local profile: a known one. */
  readonly boxSeedKey: Uint8Array | undefined
  /** True if a built-in trader keeps the pools near the simulated market. Never outside the local profile. */
  readonly arbitrage: boolean
  /** Where Prometheus reads the metrics. Absent: nowhere. */
  readonly metrics: MetricsAddress | undefined
  /** The least severe lines that are logged. */
  readonly logLevel: LogLevel
  /** True if each request has a line in the log. */
  readonly accessLog: boolean
  /** Absent: spans are sent nowhere. */
  readonly tracing: TracingVariables | undefined
  /** Absent: alarms are sent nowhere. */
  readonly alarmWebhook: AlarmWebhookAddress | undefined
  /** The keys that sign Web Push messages. Without them none are sent. */
  readonly vapid: VapidKeys | undefined
}

/** Faults of variables: a sentence for each, which names the variable and, unless it is a secret, its value. */
export type VariableFaults = ReadonlyMap<VariableName, string>

/** @throws ConfigError with every fault. */
export function readEnvironment(variables: Variables): Environment {
  const { env, faults } = inspectEnvironment(variables)
  if (faults.size > 0) throw new ConfigError([...faults.values()])
  return env
}

/**
 * Reads the environment and finds everything that is wrong with it. A variable with a fault has its default.
 *
 * @throws ConfigError for an unknown profile, on which everything else depends.
 */
export function inspectEnvironment(given: Variables): { env: Environment; faults: VariableFaults } {
  const profile = PROFILES.find((each) => each === (given.PROFILE ?? 'local'))
  if (!profile) throw new ConfigError(`PROFILE is "${given.PROFILE}", it must be one of ${PROFILES.join(', ')}.`)
  const faults = new Map<VariableName, string>()
  const tryOr = <Value, Fallback>(fallback: Fallback, name: VariableName, read: () => Value): Value | Fallback => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      faults.set(name, error.message)
      return fallback
    }
  }
  const secrets = SECRET_VARIABLES.map((name) => [name, tryOr('', name, () => readSecret(name, given))])
  const variables: Variables = { ...given, ...Object.fromEntries(secrets) }
  return { env: readVariables(profile, variables, tryOr), faults }
}

type TryOr = <Value, Fallback>(fallback: Fallback, name: VariableName, read: () => Value) => Value | Fallback

function readVariables(profile: Profile, variables: Variables, tryOr: TryOr): Environment {
  const read = <Value>(name: VariableName, parse: (name: string, text: string | undefined) => Value) =>
    tryOr(undefined, name, () => parse(name, variables[name]))
  const portOr = (name: VariableName, fallback: number) =>
    tryOr(fallback, name, () => port(name, variables[name], fallback))
  const { METRICS_PORT } = variables
  return {
    profile,
    port: portOr('PORT', 3000),
    host: tryOr('127.0.0.1', 'HOST', () => host(profile, variables.HOST)),
    dataDir: variables.DATA_DIR || '.data',
    databaseUrl: read('DATABASE_URL', postgresUrl),
    chainRpcUrls: tryOr([], 'CHAIN_RPC_URL', () => urls('CHAIN_RPC_URL', variables.CHAIN_RPC_URL, /^https?:$/)),
    chainRpcUrlCheck: read('CHAIN_RPC_URL_CHECK', httpUrl),
    chainPort: portOr('CHAIN_PORT', 8545),
    publicUrl: read('PUBLIC_URL', httpUrl)?.replace(/\/+$/, ''),
    serverUrl: read('SERVER_URL', httpUrl)?.replace(/\/+$/, ''),
    serverKey: read('SERVER_KEY', secretBytes),
    serverCa: read('SERVER_CA', certificates),
    drainMs: tryOr(0, 'DRAIN_MS', () => drainMs(profile, variables.DRAIN_MS)),
    publicRpcUrl: read('PUBLIC_RPC_URL', httpUrl),
    trustedProxies: tryOr([], 'TRUSTED_PROXIES', () => readProxies(variables.TRUSTED_PROXIES)),
    signerKey: read('SIGNER_KEY', privateKey),
    boxSeedKey: read('BOX_SEED_KEY', secretBytes),
    arbitrage: tryOr(false, 'ARBITRAGE', () => arbitrage(profile, variables.ARBITRAGE)),
    metrics: read('METRICS_PORT', () =>
      metricsAddress({ ...variables, METRICS_PORT, PORT: String(portOr('PORT', 3000)) }),
    ),
    logLevel: tryOr('info', 'LOG_LEVEL', () => logLevel(variables.LOG_LEVEL)),
    accessLog: tryOr(false, 'ACCESS_LOG', () => isOn('ACCESS_LOG', variables.ACCESS_LOG)),
    tracing: read('OTEL_EXPORTER_OTLP_ENDPOINT', () => tracing(variables)),
    alarmWebhook: read('ALARM_WEBHOOK_KEY', () => alarmWebhook(variables)),
    vapid: read('VAPID_PRIVATE_KEY', () => vapidKeys(variables)),
  }
}

/** Everyone who reaches a local server can set its prices and clock, so it listens to this machine alone. */
function host(profile: Profile, text: string | undefined): string {
  if (text === undefined || text === '') return profile === 'local' ? '127.0.0.1' : '0.0.0.0'
  if (isIP(text) === 0) throw new ConfigError(`HOST is "${text}", it must be an address of this machine.`)
  if (profile === 'local' && !/^(127\.|::1$)/.test(text))
    throw new ConfigError(`HOST is "${text}", and in the local profile it must be a loopback address.`)
  return text
}

/** Reads a file now, so that a wrong name ends the start and not the first forwarded command. */
function certificates(name: string, path: string | undefined): string | undefined {
  if (path === undefined || path === '') return undefined
  try {
    const pem = readFileSync(path, 'utf8')
    void new X509Certificate(pem)
    return pem
  } catch {
    throw new ConfigError(`${name} is "${path}", it must be a file with certificates in PEM.`)
  }
}

/** A developer's server ends immediately: there is no other one that could take its requests. */
function drainMs(profile: Profile, text: string | undefined): number {
  if (text === undefined || text === '') return profile === 'local' ? 0 : DRAIN_MS
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= MAX_DRAIN_MS))
    throw new ConfigError(`DRAIN_MS is "${text}", it must be a whole number from 0 to ${MAX_DRAIN_MS}.`)
  return value
}

/** On by default in the local profile; no simulated trader acts on a real market. */
function arbitrage(profile: Profile, text: string | undefined): boolean {
  const isArbitrage = isOn('ARBITRAGE', text, profile === 'local')
  if (isArbitrage && profile !== 'local') throw new ConfigError('ARBITRAGE can be on in the local profile only.')
  return isArbitrage
}

function isOn(name: string, text: string | undefined, fallback = false): boolean {
  if (text === undefined || text === '') return fallback
  if (text !== 'on' && text !== 'off') throw new ConfigError(`${name} is "${text}", it must be on or off.`)
  return text === 'on'
}

/** Derived from the server's port, so that two servers on one machine do not meet. */
const METRICS_PORT_OFFSET = 6_464

function metricsAddress({ PORT, METRICS_PORT, METRICS_HOST }: Variables): MetricsAddress | undefined {
  if (METRICS_PORT === 'off') return undefined
  const host = METRICS_HOST || '127.0.0.1'
  if (METRICS_PORT) return { host, port: port('METRICS_PORT', METRICS_PORT, 0), isChosen: true }
  const appPort = port('PORT', PORT, 3000)
  const derived = appPort === 0 ? 0 : appPort + METRICS_PORT_OFFSET
  return { host, port: derived > 65_535 ? 0 : derived, isChosen: false }
}

function logLevel(text: string | undefined): LogLevel {
  const level = LOG_LEVELS.find((each) => each === (text || 'info'))
  if (!level) throw new ConfigError(`LOG_LEVEL is "${text}", it must be one of ${LOG_LEVELS.join(', ')}.`)
  return level
}

function port(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined || text === '') return fallback
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= 65_535)) throw new ConfigError(`${name} is "${text}", it must be a port number from 0 to 65535.`)
  return value
}

function postgresUrl(name: string, text: string | undefined): string | undefined {
  return url(name, text, /^postgres(ql)?:$/)
}

function httpUrl(name: string, text: string | undefined): string | undefined {
  return url(name, text, /^https?:$/)
}

function url(name: string, text: string | undefined, protocol: RegExp): string | undefined {
  if (text === undefined || text === '') return undefined
  // The value itself is not repeated: it may hold a password.
  if (!URL.canParse(text) || !protocol.test(new URL(text).protocol))
    throw new ConfigError(`${name} is no usable address.`)
  return text
}

/** Several addresses with commas between them. */
function urls(name: string, text: string | undefined, protocol: RegExp): string[] {
  const found = (text || '').split(',').flatMap((each) => url(name, each.trim(), protocol) ?? [])
  if (new Set(found).size < found.length) throw new ConfigError(`${name} names the same address twice.`)
  return found
}

/** The value is never repeated: it is a secret. */
function privateKey(name: string, text: string | undefined): `0x${string}` | undefined {
  if (text === undefined || text === '') return undefined
  // Zero and what is above the order of the curve are no keys.
  const key = /^0x[0-9a-fA-F]{64}$/.test(text) ? BigInt(text) : 0n
  if (key === 0n || key >= SECP256K1_ORDER) {
    throw new ConfigError(`${name} is no usable private key: it must be 0x and 64 hex characters.`)
  }
  return text as `0x${string}`
}

/** The value is never repeated: it is a secret. */
function secretBytes(name: string, text: string | undefined): Uint8Array | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^0x[0-9a-fA-F]{64}$/.test(text))
    throw new ConfigError(`${name} is no usable key: it must be 0x and 64 hex characters.`)
  return Buffer.from(text.slice(2), 'hex')
}

function tracing(variables: Variables): TracingVariables | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_TRACES_SAMPLER_ARG } = variables
  const address = httpUrl('OTEL_EXPORTER_OTLP_ENDPOINT', OTEL_EXPORTER_OTLP_ENDPOINT)
  if (!address) return undefined
  const ratio = Number(OTEL_TRACES_SAMPLER_ARG || '1')
  if (!(ratio >= 0 && ratio <= 1))
    throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG is "${OTEL_TRACES_SAMPLER_ARG}", it must be a number from 0 to 1.`)
  return { url: `${address.replace(/\/+$/, '')}/v1/traces`, headers, ratio }
}

/** Both or none. No value is repeated: both are secrets. */
function alarmWebhook({ ALARM_WEBHOOK_URL, ALARM_WEBHOOK_KEY }: Variables): AlarmWebhookAddress | undefined {
  const address = httpUrl('ALARM_WEBHOOK_URL', ALARM_WEBHOOK_URL)
  if (!address && !ALARM_WEBHOOK_KEY) return undefined
  if (!address || !ALARM_WEBHOOK_KEY)
    throw new ConfigError('ALARM_WEBHOOK_URL and ALARM_WEBHOOK_KEY must be set together or not at all.')
  const text = ALARM_WEBHOOK_KEY.replace(/^whsec_/, '')
  const key = /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0)
  if (key.length < 24 || key.length > 64)
    throw new ConfigError('ALARM_WEBHOOK_KEY is no usable key: it must be 24 to 64 bytes in base64.')
  return { url: address, key }
}

/** All three or none. No value is repeated: one of them is a secret. */
function vapidKeys(variables: Variables): VapidKeys | undefined {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = variables
  if (!publicKey && !privateKey && !subject) return undefined
  if (!publicKey || !privateKey || !subject)
    throw new ConfigError('VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY and VAPID_SUBJECT must be set together or not at all.')
  if (!isKeyPair(publicKey, privateKey)) {
    throw new ConfigError(
      'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are no usable pair: they must be a point of P-256 and its key, 65 and 32 bytes in base64url.',
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

/**
 * Finds the variables that are required outside the local profile and in production, and are missing.
 *
 * @param chainId absent if the configuration file has none.
 */
export function missingVariables(env: Environment, chainId: number | undefined): VariableFaults {
  const faults = new Map<VariableName, string>()
  const need = (name: VariableName, value: unknown, why: string) => value || faults.set(name, `${name} must be ${why}.`)
  if (chainId === 56)
    need('DATABASE_URL', env.databaseUrl, 'set on chain 56: PGlite does not fsync and is refused there')
  if (env.chainRpcUrlCheck && env.chainRpcUrls.includes(env.chainRpcUrlCheck))
    need('CHAIN_RPC_URL_CHECK', undefined, 'another node than CHAIN_RPC_URL')
  if (env.profile === 'local') {
    if (env.chainRpcUrls.length > 1)
      faults.set('CHAIN_RPC_URL', 'CHAIN_RPC_URL takes one address in the local profile.')
    return faults
  }
  need('CHAIN_RPC_URL', env.chainRpcUrls.length > 0, 'set outside the local profile')
  if (env.profile === 'production')
    need(
      'CHAIN_RPC_URL_CHECK',
      env.chainRpcUrlCheck,
      'set in production: without a second node, one node could report payments that never happened',
    )
  need('PUBLIC_RPC_URL', env.publicRpcUrl, 'set outside the local profile: it is the node that browsers talk to')
  need('PUBLIC_URL', env.publicUrl, 'set outside the local profile: it is the domain that people sign in to')
  need('SIGNER_KEY', env.signerKey, 'set outside the local profile: it signs what is transferred out')
  if (env.databaseUrl)
    need(
      'SERVER_URL',
      env.serverUrl,
      'set on PostgreSQL outside the local profile: two servers with the default address would replace each other in the list of servers',
    )
  return faults
}
