import { createECDH } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import type { RevenueParts } from '@clearwell/rules/revenue-split'
import { isAddress } from 'viem'
import * as z from 'zod/mini'

export const PROFILES = ['local', 'staging', 'production'] as const
export type Profile = (typeof PROFILES)[number]

/** A configuration that cannot be used. Its message is one sentence for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Source: `RELAYER_DEFAULT_RELAY_URL` of @walletconnect/core 2. */
const DEFAULT_RELAY_URL = 'wss://relay.walletconnect.org'

/** Source: SEC 2, 2.4.1. */
const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const CONFIG_FOLDER = join(import.meta.dirname, '../../config')

const amount = z
  .string()
  .check(z.refine((text) => parseUnits(text, 18) !== undefined, 'must be a plain decimal such as "12.5"'))
const bps = z.int().check(z.gte(0), z.lte(10_000))
/** A distance from a price: at all of it and more nothing would ever be too far. */
const limitBps = z.int().check(z.gte(1), z.lte(9_999))
const durationMs = z.int().check(z.gte(1))
const address = z
  .string()
  .check(z.refine((text) => isAddress(text), 'must be 0x and 40 hex characters, mixed case only as its checksum'))
const clockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be HH:MM'))
const opening = z.union([z.literal('always'), z.strictObject({ opens: clockTime, closes: clockTime })])
const token = z.strictObject({
  name: z.string(),
  decimals: z.int().check(z.gte(0), z.lte(18)),
  address: z.nullable(address),
})
const limits = z.strictObject({ minIn: amount, maxIn: amount, minOut: amount, maxOut: amount })
const caps = z.strictObject({ perVoucher: amount, perDay: amount })
/** An origin and no more: what stands after it would be lost in the page's policy. */
function isRelay(text: string): boolean {
  return /^(wss:\/\/[\w.-]+|ws:\/\/(127\.0\.0\.1|localhost))(:\d{1,5})?$/.test(text) && URL.canParse(text)
}
/** Its paths are put behind it as they are. */
function isRestUrl(text: string): boolean {
  return /^(https:\/\/[\w.-]+|http:\/\/(127\.0\.0\.1|localhost))(:\d{1,5})?$/.test(text) && URL.canParse(text)
}
/** `*.` stands for any name below. Plain `http` is for the one that a test starts. */
function isPushService(text: string): boolean {
  return /^(https:\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]*[a-z][a-z0-9-]*)+|http:\/\/(127\.0\.0\.1|localhost):\d{1,5})$/.test(
    text,
  )
}
const asset = z.enum(['BNB', 'USDT', 'ETH', 'RT'])
/** Prices are told in USDT, so the name of what they are of stands before it. */
const spotSymbol = z.enum(['BNBUSDT', 'ETHUSDT'])

const market = z.discriminatedUnion(
  'source',
  [
    z.strictObject({ source: z.literal('simulated'), seed: z.string(), symbols: z.record(z.string(), amount) }),
    z.strictObject({
      source: z.literal('live'),
      symbols: z.array(spotSymbol).check(z.minLength(1)),
      exchange: z.strictObject({
        name: z.literal('Binance'),
        restUrl: z
          .string()
          .check(z.refine(isRestUrl, 'must be an https:// address without a path, or http:// on this machine')),
        streamUrl: z
          .string()
          .check(z.refine(isRelay, 'must be a wss:// address without a path, or ws:// on this machine')),
        /** The exchange's own limit is 6,000; this server stays under the half of it. */
        maxWeightPerMinute: z.int().check(z.gte(60), z.lte(3_000)),
      }),
      /** For each symbol Chainlink's feed of it, or null where there is none to check the exchange with. */
      chainlink: z.record(
        z.string(),
        z.nullable(z.strictObject({ address, heartbeatMs: z.int().check(z.gte(1_000), z.lte(2 * 86_400_000)) })),
      ),
      maxDisagreementBps: z.int().check(z.gte(1), z.lte(1_000)),
      staleAfterMs: z.int().check(z.gte(5_000), z.lte(60_000)),
    }),
  ],
  { error: ({ code }) => (code === 'invalid_union' ? 'must be "simulated" or "live"' : undefined) },
)

const schema = z.strictObject({
  product: z.strictObject({ en: z.string().check(z.minLength(1)), 'zh-HK': z.string().check(z.minLength(1)) }),
  chain: z.strictObject({
    id: z.literal([31337, 97, 56, 1]),
    name: z.string(),
    explorerUrl: z.nullable(z.url()),
    confirmations: z.int().check(z.gte(1)),
    pollMs: durationMs,
    native: z.strictObject({ name: z.string(), symbol: z.string(), decimals: z.literal(18) }),
    tokens: z.strictObject({ USDT: token, ETH: token }),
    vault: z.nullable(address),
    /** The block that the vault was deployed in: the watcher starts there. */
    vaultBlock: z.int().check(z.gte(0)),
    /** The wallet whose deposits are the operator's own: they go to `treasury`. */
    operator: z.nullable(address),
  }),
  limits: z.strictObject({ BNB: limits, USDT: limits, ETH: limits }),
  activation: z.strictObject({ asset: z.literal('USDT'), amount, opening }),
  claim: z.strictObject({ opening }),
  swap: z.strictObject({
    feeBps: bps,
    revenueBps: bps,
    quoteTtlMs: durationMs,
    /** When a pool suspends itself. Absent in files that are older than it. */
    breaker: z._default(
      z.strictObject({
        /** How far a pool's price may be from its spot price. */
        spotDeviationBps: limitBps,
        /** How far the price of a pool without a spot price may move within an hour. */
        hourMoveBps: limitBps,
        /** How long the price must be back under half the limit before the pool trades again by itself. */
        calmMs: durationMs,
        /** How often the pools are looked at. */
        checkMs: durationMs,
      }),
      { spotDeviationBps: 1_000, hourMoveBps: 3_000, calmMs: 300_000, checkMs: 1_000 },
    ),
    pools: z
      .array(
        z.strictObject({
          id: z.string().check(z.regex(/^[a-z0-9-]{1,40}$/)),
          base: asset,
          quote: asset,
          initialBase: amount,
          initialQuote: amount,
        }),
      )
      .check(z.minLength(1)),
  }),
  revenueSplitBps: z.strictObject({ rewards: bps, referral: bps, insurance: bps, treasury: bps }),
  rt: z.strictObject({ supply: amount, program: amount }),
  market,
  session: z.strictObject({ nonceTtlMs: durationMs, idleTtlMs: durationMs }),
  orders: z.strictObject({ ttlMs: durationMs }),
  /** Absent in files that are older than it. */
  withdrawals: z._default(
    z.strictObject({
      /** How long a voucher pays after its order was made: a day at most, as the signer signs nothing longer. */
      voucherTtlMs: z.int().check(z.gte(60_000), z.lte(86_400_000)),
      /** What the signer signs: at most so much with one voucher, and with all of any 24 hours. */
      caps: z.strictObject({ BNB: caps, USDT: caps, ETH: caps }),
    }),
    {
      voucherTtlMs: 3_600_000,
      caps: {
        BNB: { perVoucher: '1000', perDay: '5000' },
        USDT: { perVoucher: '1000000', perDay: '5000000' },
        ETH: { perVoucher: '1000', perDay: '5000' },
      },
    },
  ),
  rateLimit: z.strictObject({ perMinute: z.int().check(z.gte(1)) }),
  /** Absent in files that are older than it. */
  push: z._default(
    z.strictObject({
      /** The push services of browsers: the server sends alerts to addresses of these and no others. */
      services: z.array(
        z.string().check(z.refine(isPushService, 'must be an https:// origin such as "https://*.example.com"')),
      ),
    }),
    {
      services: [
        'https://fcm.googleapis.com',
        'https://updates.push.services.mozilla.com',
        'https://*.notify.windows.com',
        'https://web.push.apple.com',
      ],
    },
  ),
  /** Absent in files that are older than it. */
  notices: z._default(
    z.strictObject({
      /** Days after which a notice that was read is deleted. */
      keepReadDays: z.int().check(z.gte(1), z.lte(3_650)),
    }),
    { keepReadDays: 90 },
  ),
  /** `null`, or absent in files that are older than it: WalletConnect is not offered. */
  walletConnect: z._default(
    z.nullable(
      z.strictObject({
        projectId: z.string().check(z.regex(/^[0-9a-f]{32}$/, 'must be the 32 hex characters that WalletConnect gave')),
        relayUrl: z._default(
          z.string().check(z.refine(isRelay, 'must be a wss:// address without a path, or ws:// on this machine')),
          DEFAULT_RELAY_URL,
        ),
      }),
    ),
    null,
  ),
})

/** The operator's configuration file, checked. */
export type FileConfig = z.output<typeof schema>

/** The operator's key pair for Web Push (RFC 8292), in base64url, and whom a push service may write to. */
export interface VapidKeys {
  readonly publicKey: string
  /** A secret. */
  readonly privateKey: string
  readonly subject: string
}

export interface Environment {
  readonly profile: Profile
  readonly port: number
  readonly dataDir: string
  /** A secret. Absent: PGlite in the data folder. */
  readonly databaseUrl: string | undefined
  /** Absent, in the local profile: a chain of our own is started. */
  readonly chainRpcUrl: string | undefined
  /** A second node, which must tell of the chain like the first. */
  readonly chainRpcUrlCheck: string | undefined
  readonly chainPort: number
  /** Where people open the app, for the sign-in message. Absent: http://127.0.0.1 and the port. */
  readonly publicUrl: string | undefined
  /** Where the other servers of the same ledger reach this one, not the public. Absent: this machine's loopback. */
  readonly serverUrl: string | undefined
  /** The node that browsers talk to; everyone can read it. Absent, in the local profile: the chain's own. */
  readonly publicRpcUrl: string | undefined
  /** A secret: signs vouchers. Absent, in the local profile: the key that every local chain has. */
  readonly signerKey: `0x${string}` | undefined
  /** Whether an account of its own keeps the pools near the simulated market. Never outside the local profile. */
  readonly arbitrage: boolean
  /** What Web Push messages are signed with. Absent: none are sent. */
  readonly vapid: VapidKeys | undefined
}

export interface Config extends FileConfig {
  readonly env: Environment
}

/**
 * Reads the environment and the profile's configuration file (or the one that `CONFIG_FILE` names).
 *
 * @throws ConfigError with one sentence that says which value is wrong and what it must be.
 */
export async function loadConfig(variables: NodeJS.ProcessEnv): Promise<Config> {
  const env = readEnvironment(variables)
  const path = variables.CONFIG_FILE ?? join(CONFIG_FOLDER, `${env.profile}.json`)
  let json: unknown
  try {
    json = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    const why = error instanceof SyntaxError ? `it is no JSON (${error.message})` : 'it cannot be read'
    throw new ConfigError(`The configuration file ${path} cannot be used: ${why}.`)
  }
  const parsed = schema.safeParse(json, { error: z.locales.en().localeError })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.join('.') || 'the file'
    throw new ConfigError(`The configuration file ${path} cannot be used: ${where}: ${issue?.message}.`)
  }
  const config = { ...parsed.data, env }
  checkRules(config, path)
  return config
}

function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const profile = variables.PROFILE ?? 'local'
  if (!PROFILES.some((each) => each === profile)) {
    throw new ConfigError(`PROFILE is "${profile}", it must be one of ${PROFILES.join(', ')}.`)
  }
  return {
    profile: profile as Profile,
    port: port('PORT', variables.PORT, 3000),
    dataDir: variables.DATA_DIR || '.data',
    databaseUrl: url('DATABASE_URL', variables.DATABASE_URL, /^postgres(ql)?:$/),
    chainRpcUrl: url('CHAIN_RPC_URL', variables.CHAIN_RPC_URL, /^https?:$/),
    chainRpcUrlCheck: url('CHAIN_RPC_URL_CHECK', variables.CHAIN_RPC_URL_CHECK, /^https?:$/),
    chainPort: port('CHAIN_PORT', variables.CHAIN_PORT, 8545),
    publicUrl: url('PUBLIC_URL', variables.PUBLIC_URL, /^https?:$/)?.replace(/\/+$/, ''),
    serverUrl: url('SERVER_URL', variables.SERVER_URL, /^https?:$/)?.replace(/\/+$/, ''),
    publicRpcUrl: url('PUBLIC_RPC_URL', variables.PUBLIC_RPC_URL, /^https?:$/),
    signerKey: privateKey('SIGNER_KEY', variables.SIGNER_KEY),
    arbitrage: arbitrage(profile as Profile, variables.ARBITRAGE),
    vapid: vapidKeys(variables),
  }
}

/** On in the local profile where nothing else is said; nobody trades for the operator on a real market. */
function arbitrage(profile: Profile, text: string | undefined): boolean {
  if (text === undefined || text === '') return profile === 'local'
  if (text !== 'on' && text !== 'off') throw new ConfigError(`ARBITRAGE is "${text}", it must be on or off.`)
  if (text === 'on' && profile !== 'local') throw new ConfigError('ARBITRAGE can be on in the local profile only.')
  return text === 'on'
}

function port(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined || text === '') return fallback
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= 65_535)) throw new ConfigError(`${name} is "${text}", it must be a port number from 0 to 65535.`)
  return value
}

function url(name: string, text: string | undefined, protocol: RegExp): string | undefined {
  if (text === undefined || text === '') return undefined
  // The value itself is not repeated: it may hold a password.
  if (!URL.canParse(text) || !protocol.test(new URL(text).protocol))
    throw new ConfigError(`${name} is no usable address.`)
  return text
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

/** All three or none. No value is repeated: one of them is a secret. */
function vapidKeys(variables: NodeJS.ProcessEnv): VapidKeys | undefined {
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

/** Rules that no single field can tell. */
function checkRules(config: Config, path: string): void {
  const fail = (why: string): never => {
    throw new ConfigError(`The configuration file ${path} cannot be used: ${why}.`)
  }
  checkAmounts(config, fail)
  for (const name of ['activation', 'claim'] as const) {
    const { opening } = config[name]
    if (opening !== 'always' && opening.opens === opening.closes)
      fail(`${name}.opening must not open when it closes; write "always" instead`)
  }
  const { rewards, referral, insurance, treasury } = config.revenueSplitBps
  if (rewards + referral + insurance + treasury !== 10_000) fail('revenueSplitBps must add up to 10000')
  if (config.swap.revenueBps > config.swap.feeBps) fail('swap.revenueBps must not be above swap.feeBps')
  if (new Set(config.swap.pools.map((pool) => pool.id)).size !== config.swap.pools.length)
    fail('swap.pools has an id twice')
  const local = config.env.profile === 'local'
  if (local !== (config.chain.id === 31337))
    fail(`chain.id ${config.chain.id} does not belong to the profile ${config.env.profile}`)
  if (config.env.profile === 'production' && config.chain.id !== 56 && config.chain.id !== 1)
    fail('production needs chain.id 56 or 1')
  if (!local && (!config.chain.vault || !config.chain.operator)) fail('chain.vault and chain.operator must be set')
  checkMarket(config, fail)
  if (!local && config.push.services.some((service) => service.startsWith('http:')))
    fail('push.services must be https:// outside the local profile')
  if (!local && !config.env.chainRpcUrl) throw new ConfigError('CHAIN_RPC_URL must be set outside the local profile.')
  if (config.env.profile === 'production' && !config.env.chainRpcUrlCheck) {
    throw new ConfigError(
      'CHAIN_RPC_URL_CHECK must be set in production: it is the second node, without which one node could tell of payments that never were.',
    )
  }
  if (config.env.chainRpcUrlCheck && config.env.chainRpcUrlCheck === config.env.chainRpcUrl)
    throw new ConfigError('CHAIN_RPC_URL_CHECK must be another node than CHAIN_RPC_URL.')
  if (!local && !config.env.publicRpcUrl) {
    throw new ConfigError('PUBLIC_RPC_URL must be set outside the local profile: it is the node that browsers talk to.')
  }
  if (!local && !config.env.publicUrl) {
    throw new ConfigError('PUBLIC_URL must be set outside the local profile: it is the domain that people sign in to.')
  }
  if (!local && !config.env.signerKey) {
    throw new ConfigError('SIGNER_KEY must be set outside the local profile: it signs what is transferred out.')
  }
  if (config.chain.id === 56 && !config.env.databaseUrl) {
    throw new ConfigError('DATABASE_URL must be set on chain 56: PGlite does not fsync and is refused there.')
  }
}

/** Real prices wherever money is real, and none that only one source stands for in production. */
function checkMarket({ market, env }: Config, fail: (why: string) => never): void {
  if (market.source === 'simulated') {
    for (const [symbol, price] of Object.entries(market.symbols)) {
      if (!parseUnits(price, 18)) fail(`market.symbols.${symbol} must be above zero`)
    }
    if (env.profile !== 'local') fail('market.source must be "live" outside the local profile')
    return
  }
  if (new Set(market.symbols).size !== market.symbols.length) fail('market.symbols has a symbol twice')
  const unknown = Object.keys(market.chainlink).find((symbol) => !market.symbols.some((each) => each === symbol))
  if (unknown) fail(`market.chainlink.${unknown} is no symbol of market.symbols`)
  for (const symbol of market.symbols) {
    const feed = market.chainlink[symbol]
    if (feed === undefined) fail(`market.chainlink.${symbol} must be a feed or null`)
    if (feed === null && env.profile === 'production')
      fail(
        `market.chainlink.${symbol} must be set in production: it is the second source that the exchange is held against`,
      )
  }
}

/** What the ledger would refuse later: postings of nothing, and limits that nothing can meet. */
function checkAmounts({ activation, limits, rt, swap, withdrawals }: FileConfig, fail: (why: string) => never): void {
  const units = (text: string) => parseUnits(text, 18) ?? 0n
  const positive = (name: string, text: string) => {
    if (units(text) === 0n) fail(`${name} must be above zero`)
  }
  positive('activation.amount', activation.amount)
  for (const [asset, { minIn, maxIn, minOut, maxOut }] of Object.entries(limits)) {
    positive(`limits.${asset}.minIn`, minIn)
    positive(`limits.${asset}.minOut`, minOut)
    if (units(minIn) > units(maxIn)) fail(`limits.${asset}.minIn must not be above maxIn`)
    if (units(minOut) > units(maxOut)) fail(`limits.${asset}.minOut must not be above maxOut`)
  }
  for (const [asset, { perVoucher, perDay }] of Object.entries(withdrawals.caps)) {
    if (units(perVoucher) > units(perDay)) fail(`withdrawals.caps.${asset}.perVoucher must not be above perDay`)
  }
  swap.pools.forEach(({ base, quote, initialBase, initialQuote }, index) => {
    if (base === quote) fail(`swap.pools.${index} has the same asset twice`)
    positive(`swap.pools.${index}.initialBase`, initialBase)
    positive(`swap.pools.${index}.initialQuote`, initialQuote)
  })
  positive('rt.supply', rt.supply)
  if (units(rt.program) === 0n || units(rt.program) >= units(rt.supply))
    fail('rt.program must be above zero and below rt.supply')
}

/** An amount of the configuration in base units. */
export function configUnits(text: string, assetId: AssetId): bigint {
  const units = parseUnits(text, ASSET_DECIMALS[assetId])
  if (units === undefined) throw new ConfigError(`"${text}" is not an amount of ${assetId}.`)
  return units
}

export function revenueShares({ revenueSplitBps: shares }: FileConfig): RevenueParts {
  return {
    rewards: BigInt(shares.rewards),
    referral: BigInt(shares.referral),
    insurance: BigInt(shares.insurance),
    treasury: BigInt(shares.treasury),
  }
}

/** When a pool suspends itself. */
export function poolLimits({ swap: { breaker } }: FileConfig) {
  return {
    spotDeviationBps: BigInt(breaker.spotDeviationBps),
    hourMoveBps: BigInt(breaker.hourMoveBps),
    calmMs: breaker.calmMs,
  }
}
