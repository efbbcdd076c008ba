import { isIP } from 'node:net'
import { ConfigError } from './config-error.ts'
import { readSecret, SECRET_VARIABLES } from './secret-files.ts'
import {
  type AlarmWebhookAddress,
  alarmWebhook,
  type BookkeeperAddress,
  bookkeepers,
  type MetricsAddress,
  metricsAddress,
  type TracingVariables,
  tracing,
  type VapidKeys,
  vapidKeys,
} from './service-variables.ts'
import { readProxies } from './trusted-proxies.ts'
import { certificates, httpUrl, isOn, port, postgresUrl, privateKey, secretBytes, urls } from './variable-kinds.ts'
import type { VariableName, Variables } from './variables.ts'

export const PROFILES = ['local', 'staging', 'production'] as const
export type Profile = (typeof PROFILES)[number]

/** A server does everything, or never leads, or takes nothing from the public. */
export const SERVER_ROLES = ['all', 'web', 'writer'] as const
export type ServerRole = (typeof SERVER_ROLES)[number]

/** The data folder where `DATA_DIR` names none, from the working folder. */
export const DEFAULT_DATA_DIR = '.data'

/** `plain`: the vault of vouchers alone. `exits`: the vault that also takes roots, and pays exits under them. */
export const VAULT_KINDS = ['plain', 'exits'] as const
export type VaultKind = (typeof VAULT_KINDS)[number]

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Longer than load balancers take that ask every second or two. */
const DRAIN_MS = 5_000
const MAX_DRAIN_MS = 120_000

export interface Environment {
  readonly profile: Profile
  readonly role: ServerRole
  readonly port: number
  /** The address of this machine to listen on. */
  readonly host: string
  readonly dataDir: string
  /** A secret. Absent: PGlite in the data folder. */
  readonly databaseUrl: string | undefined
  /** A secret: a standby of that database, for reads. */
  readonly readDatabaseUrl: string | undefined
  /** The chain's nodes; the first one that works is asked. Empty, in the local profile: a chain of our own is started. */
  readonly chainRpcUrls: readonly string[]
  /** A second opinion: another node, which must report the chain as the first does. */
  readonly chainRpcUrlCheck: string | undefined
  readonly chainPort: number
  readonly vaultKind: VaultKind
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
  /** A second node that browsers talk to, to compare it with the first. */
  readonly publicRpcUrlCheck: string | undefined
  /** Proxies in front of the server, as addresses and networks. Only they may name the client of a request. */
  readonly trustedProxies: readonly string[]
  /** A secret: signs vouchers. Absent, in the local profile: the key that every local chain has. */
  readonly signerKey: `0x${string}` | undefined
  /** A secret of a person of the operator: signs the commands of the command line. No server needs it. */
  readonly operatorKey: `0x${string}` | undefined
  /** A secret of 32 bytes: the seeds of the blind boxes derive from it. Absent, in the local profile: a known one. */
  readonly boxSeedKey: Uint8Array | undefined
  /** True if headers of the ledger are made and signed. Always in production. */
  readonly proofs: boolean
  /** A secret: signs the headers. Absent, in the local profile: a known one. */
  readonly proofRootKey: `0x${string}` | undefined
  /** A secret of 32 bytes: the keys of the proof data derive from it. Absent, in the local profile: a known one. */
  readonly proofDataKey: Uint8Array | undefined
  /** A secret: pays the gas of posting headers to a vault with exits, and has no rights. Absent: none are posted. */
  readonly posterKey: `0x${string}` | undefined
  /** The first one signs, and the next one while it is away. Empty: the root key signs the headers alone. */
  readonly bookkeepers: readonly BookkeeperAddress[]
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
    role: tryOr('all', 'ROLE', () => role(variables.ROLE)),
    port: portOr('PORT', 3000),
    host: tryOr('127.0.0.1', 'HOST', () => host(profile, variables.HOST)),
    dataDir: variables.DATA_DIR || DEFAULT_DATA_DIR,
    databaseUrl: read('DATABASE_URL', postgresUrl),
    readDatabaseUrl: read('READ_DATABASE_URL', postgresUrl),
    chainRpcUrls: tryOr([], 'CHAIN_RPC_URL', () => urls('CHAIN_RPC_URL', variables.CHAIN_RPC_URL, /^https?:$/)),
    chainRpcUrlCheck: read('CHAIN_RPC_URL_CHECK', httpUrl),
    chainPort: portOr('CHAIN_PORT', 8545),
    vaultKind: tryOr('plain', 'VAULT_KIND', () => vaultKind(profile, variables.VAULT_KIND)),
    publicUrl: read('PUBLIC_URL', httpUrl)?.replace(/\/+$/, ''),
    serverUrl: read('SERVER_URL', httpUrl)?.replace(/\/+$/, ''),
    serverKey: read('SERVER_KEY', secretBytes),
    serverCa: read('SERVER_CA', certificates),
    drainMs: tryOr(0, 'DRAIN_MS', () => drainMs(profile, variables.DRAIN_MS)),
    publicRpcUrl: read('PUBLIC_RPC_URL', httpUrl),
    publicRpcUrlCheck: read('PUBLIC_RPC_URL_CHECK', httpUrl),
    trustedProxies: tryOr([], 'TRUSTED_PROXIES', () => readProxies(variables.TRUSTED_PROXIES)),
    signerKey: read('SIGNER_KEY', privateKey),
    operatorKey: read('OPERATOR_KEY', privateKey),
    boxSeedKey: read('BOX_SEED_KEY', secretBytes),
    proofs: tryOr(false, 'PROOFS', () => proofs(profile, variables)),
    proofRootKey: read('PROOF_ROOT_KEY', privateKey),
    proofDataKey: read('PROOF_DATA_KEY', secretBytes),
    posterKey: read('POSTER_PRIVATE_KEY', privateKey),
    bookkeepers: tryOr([], 'BOOKKEEPER_URL', () => bookkeepers(variables)),
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

function role(text: string | undefined): ServerRole {
  const found = SERVER_ROLES.find((each) => each === (text || 'all'))
  if (!found) throw new ConfigError(`ROLE is "${text}", it must be one of ${SERVER_ROLES.join(', ')}.`)
  return found
}

/** Real money lies in the vault with exits, unless somebody says otherwise. In the local profile `npm start` chooses. */
function vaultKind(profile: Profile, text: string | undefined): VaultKind {
  const found = VAULT_KINDS.find((each) => each === (text || (profile === 'local' ? 'plain' : 'exits')))
  if (!found) throw new ConfigError(`VAULT_KIND is "${text}", it must be one of ${VAULT_KINDS.join(', ')}.`)
  return found
}

/** Everyone who reaches a local server can set its prices and clock, so it listens to this machine alone. */
function host(profile: Profile, text: string | undefined): string {
  if (text === undefined || text === '') return profile === 'local' ? '127.0.0.1' : '0.0.0.0'
  if (isIP(text) === 0) throw new ConfigError(`HOST is "${text}", it must be an address of this machine.`)
  if (profile === 'local' && !/^(127\.|::1$)/.test(text))
    throw new ConfigError(`HOST is "${text}", and in the local profile it must be a loopback address.`)
  return text
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

/** On by default, in staging where both keys are set. Production cannot turn them off: users check their balances by them. */
function proofs(profile: Profile, { PROOFS, PROOF_ROOT_KEY, PROOF_DATA_KEY }: Variables): boolean {
  const hasKeys = Boolean(PROOF_ROOT_KEY && PROOF_DATA_KEY)
  const isMade = isOn('PROOFS', PROOFS, profile !== 'staging' || hasKeys)
  if (!isMade && profile === 'production') throw new ConfigError('PROOFS cannot be off in production.')
  return isMade
}

function logLevel(text: string | undefined): LogLevel {
  const level = LOG_LEVELS.find((each) => each === (text || 'info'))
  if (!level) throw new ConfigError(`LOG_LEVEL is "${text}", it must be one of ${LOG_LEVELS.join(', ')}.`)
  return level
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
  if (env.vaultKind === 'exits') {
    need('PROOFS', env.proofs, 'on with VAULT_KIND=exits: a voucher is signed under a header')
    // In the local profile `npm start` chooses one after this, and a signer without one does not open.
    need(
      'BOOKKEEPER_URL',
      env.bookkeepers.length > 0 || env.profile === 'local',
      'set with VAULT_KIND=exits, the default outside the local profile: the vault takes no root without a bookkeeper',
    )
  }
  if (env.role !== 'all')
    need('DATABASE_URL', env.databaseUrl, `set with ROLE=${env.role}: servers share one PostgreSQL`)
  if (env.readDatabaseUrl) need('DATABASE_URL', env.databaseUrl, 'set with READ_DATABASE_URL, which is a standby of it')
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
  if (env.proofs) {
    need('PROOF_ROOT_KEY', env.proofRootKey, 'set where proofs are made: it signs the headers')
    need('PROOF_DATA_KEY', env.proofDataKey, 'set where proofs are made: it encrypts the proof data')
  }
  if (env.databaseUrl)
    need(
      'SERVER_URL',
      env.serverUrl,
      'set on PostgreSQL outside the local profile: two servers with the default address would replace each other in the list of servers',
    )
  return faults
}
