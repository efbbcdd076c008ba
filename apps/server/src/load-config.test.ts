import { createECDH } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError } from './config/config-error.ts'
import { configUnits } from './config/fields.ts'
import { revenueShares } from './config/platform-config.ts'
import { poolLimits } from './features/swap/swap.config.ts'
import { loadConfig } from './load-config.ts'

const CONFIG_FOLDER = join(import.meta.dirname, '../config')
const VAULT = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const OPERATOR = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const PROJECT = '0123456789abcdef0123456789abcdef'

type Json = Record<string, unknown>

let folder: string
const shipped: Record<string, Json> = {}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-config-'))
  for (const profile of ['local', 'staging', 'production']) {
    shipped[profile] = JSON.parse(await readFile(join(CONFIG_FOLDER, `${profile}.json`), 'utf8'))
  }
})
afterAll(() => rm(folder, { recursive: true }))

/** The market of a shipped file. */
const marketOf = (profile: string): Json => (shipped[profile] as Json).market as Json

/** A shipped file with some values replaced, by their path; `undefined` removes one. */
function changed(profile: string, changes: Json): Json {
  const json = structuredClone(shipped[profile] as Json)
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.')
    const last = keys.pop() as string
    const at = keys.reduce((object, key) => object[key] as Json, json)
    if (value === undefined) delete at[last]
    else at[last] = value
  }
  return json
}

async function load(text: string, variables: NodeJS.ProcessEnv = {}) {
  const file = join(folder, 'config.json')
  await writeFile(file, text)
  return loadConfig({ CONFIG_FILE: file, ...variables })
}

/** Returns the message that the operator reads for an unusable configuration. */
async function complaint(loading: Promise<unknown>): Promise<string> {
  const error = await loading.then(
    () => new Error('it was accepted'),
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(ConfigError)
  const { message } = error as Error
  // One sentence in each line, which ends with the only full stop that is followed by nothing.
  for (const line of message.split('\n')) {
    expect(line).toMatch(/^[A-Z].*\.$/)
    expect(line).not.toMatch(/\. /)
  }
  return message
}

const unusable = () => `The configuration file ${join(folder, 'config.json')} cannot be used: `

const CUSTODY = { 'chain.vault': VAULT, 'chain.vaultBlock': 7, 'chain.operator': OPERATOR }
const ready = (profile: string): Json => changed(profile, CUSTODY)
const STAGING = {
  PROFILE: 'staging',
  CHAIN_RPC_URL: 'https://rpc.example/s3cret',
  PUBLIC_RPC_URL: 'https://rpc.example',
  PUBLIC_URL: 'https://app.example',
  SIGNER_KEY: `0x${'5'.repeat(64)}`,
  BOX_SEED_KEY: `0x${'6'.repeat(64)}`,
}
const PRODUCTION = {
  ...STAGING,
  PROFILE: 'production',
  CHAIN_RPC_URL_CHECK: 'https://other.example/s3cret',
  DATABASE_URL: 'postgres://clearwell@db/clearwell',
  SERVER_URL: 'http://10.0.0.1:3000',
}

describe('without anything set', () => {
  test('the default is the local profile with its own database and chain', async () => {
    const config = await loadConfig({})
    expect(config.env).toEqual({
      profile: 'local',
      port: 3000,
      dataDir: '.data',
      databaseUrl: undefined,
      chainRpcUrls: [],
      host: '127.0.0.1',
      chainPort: 8545,
      drainMs: 0,
      publicUrl: undefined,
      trustedProxies: ['127.0.0.0/8', '::1/128'],
      arbitrage: true,
      metrics: { host: '127.0.0.1', port: 9464, isChosen: false },
      logLevel: 'info',
      accessLog: false,
    })
    expect(config.chain.id).toBe(31337)
  })

  test('a variable that is set to nothing counts as not set', async () => {
    const empty = {
      PORT: '',
      DATA_DIR: '',
      DATABASE_URL: '',
      CHAIN_RPC_URL: '',
      CHAIN_PORT: '',
      PUBLIC_URL: '',
      TRUSTED_PROXIES: '',
      ARBITRAGE: '',
      METRICS_PORT: '',
      METRICS_HOST: '',
      LOG_LEVEL: '',
    }
    expect(await loadConfig(empty)).toEqual(await loadConfig({}))
  })
})

describe('the environment', () => {
  test('the environment overrides and completes the file', async () => {
    const { env } = await loadConfig({
      PORT: '0',
      DATA_DIR: '/data',
      DATABASE_URL: 'postgresql://u:p@h/d',
      CHAIN_RPC_URL: 'http://127.0.0.1:8545',
      CHAIN_PORT: '65535',
      DRAIN_MS: '1500',
      PUBLIC_URL: 'https://app.example/',
      TRUSTED_PROXIES: '10.0.0.5, fd00::/64',
      ARBITRAGE: 'off',
      METRICS_PORT: '9090',
      METRICS_HOST: '10.0.0.7',
      LOG_LEVEL: 'debug',
    })
    expect(env).toEqual({
      profile: 'local',
      port: 0,
      dataDir: '/data',
      databaseUrl: 'postgresql://u:p@h/d',
      chainRpcUrls: ['http://127.0.0.1:8545'],
      host: '127.0.0.1',
      chainPort: 65535,
      drainMs: 1500,
      publicUrl: 'https://app.example',
      trustedProxies: ['10.0.0.5', 'fd00::/64'],
      arbitrage: false,
      metrics: { host: '10.0.0.7', port: 9090, isChosen: true },
      logLevel: 'debug',
      accessLog: false,
    })
  })

  test.each([
    ['PROFILE', 'prod', 'PROFILE is "prod", it must be one of local, staging, production.'],
    ['PROFILE', '', 'PROFILE is "", it must be one of local, staging, production.'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL is "loud", it must be one of fatal, error, warn, info, debug, trace, silent.'],
    ['METRICS_PORT', 'on', 'METRICS_PORT is "on", it must be a port number from 0 to 65535.'],
    [
      'TRUSTED_PROXIES',
      'proxy.example',
      'TRUSTED_PROXIES contains "proxy.example", each entry must be an address or a network such as 10.0.0.5 or fd00::/64.',
    ],
    ['PORT', '65536', 'PORT is "65536", it must be a port number from 0 to 65535.'],
    ['PORT', '-1', 'PORT is "-1", it must be a port number from 0 to 65535.'],
    ['PORT', '0x50', 'PORT is "0x50", it must be a port number from 0 to 65535.'],
    ['PORT', '3000 ', 'PORT is "3000 ", it must be a port number from 0 to 65535.'],
    ['SERVER_CA', '/nowhere.pem', 'SERVER_CA is "/nowhere.pem", it must be a file with certificates in PEM.'],
    ['SERVER_KEY', '0x12', 'SERVER_KEY is no usable key: it must be 0x and 64 hex characters.'],
    ['DRAIN_MS', '5s', 'DRAIN_MS is "5s", it must be a whole number from 0 to 120000.'],
    ['DRAIN_MS', '120001', 'DRAIN_MS is "120001", it must be a whole number from 0 to 120000.'],
    ['CHAIN_PORT', 'http', 'CHAIN_PORT is "http", it must be a port number from 0 to 65535.'],
    ['ARBITRAGE', 'true', 'ARBITRAGE is "true", it must be on or off.'],
  ])('%s=%j is refused in one sentence', async (name, value, sentence) => {
    expect(await complaint(loadConfig({ [name]: value }))).toBe(sentence)
  })

  test.each([
    ['DATABASE_URL', 'mysql://clearwell:s3cret@db/clearwell'],
    ['DATABASE_URL', 's3cret'],
    ['CHAIN_RPC_URL', 'ws://rpc.example/v1/s3cret'],
    ['CHAIN_RPC_URL', 'rpc.example/v1/s3cret'],
    ['CHAIN_RPC_URL', 'https://rpc.example, rpc.example/v1/s3cret'],
    ['CHAIN_RPC_URL_CHECK', 'wss://rpc.example/v1/s3cret'],
    ['PUBLIC_URL', 'javascript:s3cret'],
    ['PUBLIC_URL', 'app.example/s3cret'],
    ['PUBLIC_RPC_URL', 'ws://s3cret'],
  ])('the error for %s=%j names the variable without its value', async (name, value) => {
    expect(await complaint(loadConfig({ [name]: value }))).toBe(`${name} is no usable address.`)
  })

  test.each([
    's3cret',
    '5'.repeat(64),
    `0x${'5'.repeat(63)}`,
    `0x${'5'.repeat(65)}`,
    `0x${'0'.repeat(64)}`,
    // The order of the curve, which is no key any more.
    '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141',
  ])('the error for SIGNER_KEY=%j names the variable without its value', async (value) => {
    expect(await complaint(loadConfig({ SIGNER_KEY: value }))).toBe(
      'SIGNER_KEY is no usable private key: it must be 0x and 64 hex characters.',
    )
  })
})

test('SERVER_CA must be a file with certificates', async () => {
  const { filename } = import.meta
  const sentence = `SERVER_CA is "${filename}", it must be a file with certificates in PEM.`
  expect(await complaint(loadConfig({ SERVER_CA: filename }))).toBe(sentence)
})

describe('the keys of Web Push', () => {
  const pair = createECDH('prime256v1')
  const VAPID_PUBLIC_KEY = pair.generateKeys('base64url')
  const VAPID_PRIVATE_KEY = Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url')
  const keys = { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT: 'mailto:operator@app.example' }
  const stranger = createECDH('prime256v1').generateKeys('base64url')

  test('the keys of Web Push are optional', async () => {
    expect((await loadConfig(keys)).env.vapid).toEqual({
      publicKey: VAPID_PUBLIC_KEY,
      privateKey: VAPID_PRIVATE_KEY,
      subject: 'mailto:operator@app.example',
    })
    const none = { VAPID_PUBLIC_KEY: '', VAPID_PRIVATE_KEY: '', VAPID_SUBJECT: '' }
    expect((await loadConfig(none)).env.vapid).toBeUndefined()
  })

  test.each(['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_SUBJECT'])(
    'the keys of Web Push are refused without %s',
    async (name) => {
      expect(await complaint(loadConfig({ ...keys, [name]: undefined }))).toBe(
        'VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY and VAPID_SUBJECT must be set together or not at all.',
      )
    },
  )

  test.each([
    { VAPID_PUBLIC_KEY: stranger },
    { VAPID_PUBLIC_KEY: VAPID_PRIVATE_KEY },
    { VAPID_PRIVATE_KEY: 's3cret' },
    { VAPID_PRIVATE_KEY: 'A'.repeat(43) },
    { VAPID_PRIVATE_KEY: `${VAPID_PRIVATE_KEY}=` },
  ])('the error for a wrong VAPID pair contains no value: %j', async (wrong) => {
    expect(await complaint(loadConfig({ ...keys, ...wrong }))).toBe(
      'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are no usable pair: they must be a point of P-256 and its key, 65 and 32 bytes in base64url.',
    )
  })

  test.each(['operator@app.example', 'http://app.example', 'mailto:', 'javascript:s3cret', 'https://'])(
    'the keys of Web Push are refused with the contact %j',
    async (VAPID_SUBJECT) => {
      expect(await complaint(loadConfig({ ...keys, VAPID_SUBJECT }))).toBe(
        'VAPID_SUBJECT must be a mailto: or https: address that push services can write to.',
      )
    },
  )
})

describe('the push services of the file', () => {
  test('the push services default to those of the known browsers', async () => {
    const { push } = await loadConfig({})
    expect(push.services).toEqual([
      'https://fcm.googleapis.com',
      'https://updates.push.services.mozilla.com',
      'https://*.notify.windows.com',
      'https://web.push.apple.com',
    ])
  })

  test.each([
    'fcm.googleapis.com',
    'https://*',
    'https://*.com',
    'https://a.example/path',
    'https://a.*.example',
    'http://a.example',
    'https://169.254.169.254:80',
  ])('%s is refused', async (service) => {
    expect(await complaint(load(JSON.stringify(changed('local', { push: { services: [service] } }))))).toContain(
      'push.services.0: must be an https:// origin such as "https://*.example.com"',
    )
  })

  test('a node on this machine is for the local profile only', async () => {
    const services = ['http://127.0.0.1:4000']
    expect((await load(JSON.stringify(changed('local', { push: { services } })))).push.services).toEqual(services)
    const elsewhere = JSON.stringify({ ...ready('staging'), push: { services } })
    expect(await complaint(load(elsewhere, STAGING))).toContain(
      'push.services must be https:// outside the local profile',
    )
  })
})

describe('the file', () => {
  test('a missing configuration file is reported', async () => {
    expect(await complaint(loadConfig({ CONFIG_FILE: '/nowhere/config.json' }))).toBe(
      'The configuration file /nowhere/config.json cannot be used: it cannot be read.',
    )
  })

  test.each(['', '{', '{"product": }', "{'product': 1}"])(
    'a configuration file that is no JSON is refused: %j',
    async (text) => {
      expect(await complaint(load(text))).toMatch(/config\.json cannot be used: it is no JSON/)
    },
  )

  test.each(['[]', 'null', '1', '"local"'])('a configuration file that is %s is refused', async (text) => {
    expect(await complaint(load(text))).toMatch(/cannot be used: the file: .*expected object/)
  })

  test.each<[string, unknown, string | RegExp]>([
    ['product', undefined, /product: .*expected object/],
    ['product.en', '', /product\.en: .*>=1 character/],
    ['produkt', {}, /"produkt"/],
    ['chain.extra', 1, /chain: .*"extra"/],
    ['chain.id', 5, /chain\.id: [^.]*31337\D+97\D+56\D*$/],
    ['chain.id', 1, /chain\.id: .*31337.*97.*56/],
    ['chain.id', '31337', /chain\.id: /],
    ['chain.explorerUrl', 'bscscan', /chain\.explorerUrl: .*URL/],
    ['chain.confirmations', 0, /chain\.confirmations: .*>=1/],
    ['chain.confirmations', 1.5, /chain\.confirmations: .*int/],
    ['chain.pollMs', 0, /chain\.pollMs: .*>=1/],
    ['chain.native.decimals', 6, /chain\.native\.decimals: .*18/],
    ['chain.tokens.USDT.decimals', 19, /chain\.tokens\.USDT\.decimals: .*<=18/],
    [
      'chain.tokens.USDT.address',
      '0x12',
      'chain.tokens.USDT.address: must be 0x and 40 hex characters, mixed case only as its checksum',
    ],
    [
      'chain.vault',
      VAULT.replace('b', 'B'),
      'chain.vault: must be 0x and 40 hex characters, mixed case only as its checksum',
    ],
    ['chain.operator', 5, /chain\.operator: .*string/],
    ['limits.RT', {}, /limits: .*"RT"/],
    ['limits.USDT.minIn', 10, /limits\.USDT\.minIn: .*string/],
    ['limits.USDT.minIn', '1e5', 'limits.USDT.minIn: must be a plain decimal such as "12.5"'],
    ['limits.USDT.minIn', '-1', 'limits.USDT.minIn: must be a plain decimal such as "12.5"'],
    ['limits.USDT.minIn', '1000001', 'limits.USDT.minIn must not be above maxIn'],
    ['limits.ETH.minOut', '1001', 'limits.ETH.minOut must not be above maxOut'],
    ['activation.asset', 'BNB', /activation\.asset: .*USDT/],
    ['activation.amount', '0', 'activation.amount must be above zero'],
    ['activation.opening', 'sometimes', /activation\.opening: /],
    ['activation.opening', { opens: '9:30', closes: '17:00' }, 'activation.opening.opens: must be HH:MM'],
    ['activation.opening', { opens: '24:00', closes: '17:00' }, 'activation.opening.opens: must be HH:MM'],
    [
      'activation.opening',
      { opens: '09:30', closes: '09:30' },
      'activation.opening must not open when it closes; write "always" instead',
    ],
    [
      'claim.opening',
      { opens: '00:00', closes: '00:00' },
      'claim.opening must not open when it closes; write "always" instead',
    ],
    ['swap.feeBps', '25', /swap\.feeBps: .*number/],
    ['swap.feeBps', 10_001, /swap\.feeBps: .*<=10000/],
    ['swap.revenueBps', 26, 'swap.revenueBps must not be above swap.feeBps'],
    ['swap.quoteTtlMs', 0, /swap\.quoteTtlMs: .*>=1/],
    ['swap.breaker.spotDeviationBps', 0, /swap\.breaker\.spotDeviationBps: .*>=1/],
    ['swap.breaker.spotDeviationBps', 10_000, /swap\.breaker\.spotDeviationBps: .*<=9999/],
    ['swap.breaker.hourMoveBps', 2.5, /swap\.breaker\.hourMoveBps: .*int/],
    ['swap.breaker.off', true, /swap\.breaker: .*off/],
    ['swap.pools', [], /swap\.pools: .*>=1/],
    ['swap.pools.0.id', 'BNB/USDT', /swap\.pools\.0\.id: /],
    ['swap.pools.1.id', 'bnb-usdt', 'swap.pools has an id twice'],
    ['swap.pools.0.base', 'BTC', /swap\.pools\.0\.base: .*BNB.*RT/],
    ['swap.pools.0.base', 'USDT', 'swap.pools.0 has the same asset twice'],
    ['swap.pools.0.initialBase', '0', 'swap.pools.0.initialBase must be above zero'],
    ['swap.pools.2.initialQuote', '0.0', 'swap.pools.2.initialQuote must be above zero'],
    ['revenueSplitBps.rewards', 4999, 'revenueSplitBps must add up to 10000'],
    ['revenueSplitBps.rewards', -1, /revenueSplitBps\.rewards: .*>=0/],
    ['rt.supply', '0', 'rt.supply must be above zero'],
    ['rt.program', '100000000', 'rt.program must be above zero and below rt.supply'],
    ['rt.program', '0', 'rt.program must be above zero and below rt.supply'],
    ['market.source', 'binance', 'market.source: must be "simulated" or "live"'],
    ['market', undefined, /market: .*expected object/],
    ['market.seed', undefined, /market\.seed: .*string/],
    ['market.symbols.BNBUSDT', 'dear', 'market.symbols.BNBUSDT: must be a plain decimal such as "12.5"'],
    ['market.symbols.BNBUSDT', '0', 'market.symbols.BNBUSDT must be above zero'],
    ['session.nonceTtlMs', 0, /session\.nonceTtlMs: .*>=1/],
    ['session.idleTtlMs', null, /session\.idleTtlMs: .*number/],
    ['orders.ttlMs', -5, /orders\.ttlMs: .*>=1/],
    ['limits.BNB.minIn', '0', 'limits.BNB.minIn must be above zero'],
    ['limits.USDT.minOut', '0.0', 'limits.USDT.minOut must be above zero'],
    ['withdrawals.voucherTtlMs', 59_999, /withdrawals\.voucherTtlMs: .*>=60000/],
    ['withdrawals.voucherTtlMs', 86_400_001, /withdrawals\.voucherTtlMs: .*<=86400000/],
    ['rateLimit.perMinute', 0, /rateLimit\.perMinute: .*>=1/],
    ['walletConnect', {}, /walletConnect\.projectId: .*string/],
    ['walletConnect', 'yes', /walletConnect: .*object/],
    [
      'walletConnect',
      { projectId: 'mine' },
      'walletConnect.projectId: must be the 32 hex characters that WalletConnect gave',
    ],
    ...[
      'https://relay.example',
      'ws://relay.example',
      'wss://relay.example/path',
      'wss://a;script-src *',
      'relay.example',
      'wss://relay.example:99999',
    ].map((relayUrl): [string, unknown, string] => [
      'walletConnect',
      { projectId: PROJECT, relayUrl },
      'walletConnect.relayUrl: must be a wss:// address without a path, or ws:// on this machine',
    ]),
  ])('the file with %s being %j is refused with the reason', async (path, value, what) => {
    const sentence = await complaint(load(JSON.stringify(changed('local', { [path]: value }))))
    expect(sentence).toContain(unusable())
    if (typeof what === 'string') expect(sentence.split('\n')).toContain(`${unusable()}${what}.`)
    else expect(sentence).toMatch(what)
  })

  test.each<[string, unknown, string | RegExp]>([
    ['market.seed', 'clearwell', /market: .*"seed"/],
    ['market.symbols', [], /market\.symbols: .*>=1/],
    ['market.symbols', ['DOGEUSDT'], /market\.symbols\.0: .*BNBUSDT.*ETHUSDT/],
    ['market.symbols', ['BNBUSDT', 'BNBUSDT'], 'market.symbols has a symbol twice'],
    ['market.symbols', ['BNBUSDT'], 'market.chainlink.ETHUSDT is no symbol of market.symbols'],
    ['market.exchange.name', 'Kraken', /market\.exchange\.name: .*Binance/],
    ...['http://exchange.example', 'https://exchange.example/', 'https://a@b.example', 'exchange.example', ''].map(
      (url): [string, unknown, string] => [
        'market.exchange.restUrl',
        url,
        'market.exchange.restUrl: must be an https:// address without a path, or http:// on this machine',
      ],
    ),
    ...['ws://exchange.example', 'wss://exchange.example/ws', 'https://exchange.example'].map(
      (url): [string, unknown, string] => [
        'market.exchange.streamUrl',
        url,
        'market.exchange.streamUrl: must be a wss:// address without a path, or ws:// on this machine',
      ],
    ),
    ['market.exchange.maxWeightPerMinute', 3_001, /maxWeightPerMinute: .*<=3000/],
    ['market.exchange.maxWeightPerMinute', 59, /maxWeightPerMinute: .*>=60/],
    ['market.chainlink.BNBUSDT', undefined, 'market.chainlink.BNBUSDT must be a feed or null'],
    ['market.chainlink.RTUSDT', null, 'market.chainlink.RTUSDT is no symbol of market.symbols'],
    [
      'market.chainlink.BNBUSDT.address',
      '0x12',
      'market.chainlink.BNBUSDT.address: must be 0x and 40 hex characters, mixed case only as its checksum',
    ],
    ['market.chainlink.BNBUSDT.heartbeatMs', 999, /heartbeatMs: .*>=1000/],
    ['market.chainlink.BNBUSDT.heartbeatMs', 172_800_001, /heartbeatMs: .*<=172800000/],
    ['market.maxDisagreementBps', 0, /maxDisagreementBps: .*>=1/],
    ['market.maxDisagreementBps', 1_001, /maxDisagreementBps: .*<=1000/],
    ['market.maxClearingDisagreementBps', 3_001, /maxClearingDisagreementBps: .*<=3000/],
    [
      'market.maxClearingDisagreementBps',
      199,
      'market.maxClearingDisagreementBps must not be below market.maxDisagreementBps',
    ],
    ['market.usdtUsd', null, 'market.usdtUsd must be a feed: the feeds of market.chainlink are in US dollars'],
    ['market.usdtUsd', undefined, /market\.usdtUsd: .*object/],
    ['market.staleAfterMs', 60_001, /staleAfterMs: .*<=60000/],
    ['market.staleAfterMs', undefined, /staleAfterMs: .*number/],
  ])('real prices with %s being %j are refused with the reason', async (path, value, what) => {
    const json = changed('local', { market: structuredClone(marketOf('staging')), [path]: value })
    const sentence = await complaint(load(JSON.stringify(json)))
    if (typeof what === 'string') expect(sentence.split('\n')).toContain(`${unusable()}${what}.`)
    else expect(sentence).toMatch(what)
  })

  test('a configuration file without a breaker gets the documented one', async () => {
    const { swap } = await load(JSON.stringify(changed('local', { 'swap.breaker': undefined })))
    expect(swap.breaker).toEqual({ spotDeviationBps: 1_000, hourMoveBps: 3_000, checkMs: 1_000 })
    for (const file of Object.values(shipped)) expect(file).toMatchObject({ swap: { breaker: swap.breaker } })
    expect(poolLimits(await loadConfig({}))).toEqual({
      spotDeviationBps: 1_000n,
      hourMoveBps: 3_000n,
    })
  })

  test('WalletConnect uses its own relay if only a project is named', async () => {
    const of = async (walletConnect: unknown) =>
      (await load(JSON.stringify(changed('local', { walletConnect })))).walletConnect
    expect(await of({ projectId: PROJECT })).toEqual({
      projectId: PROJECT,
      relayUrl: 'wss://relay.walletconnect.org',
    })
    expect(await of({ projectId: PROJECT, relayUrl: 'ws://127.0.0.1:5555' })).toMatchObject({
      relayUrl: 'ws://127.0.0.1:5555',
    })
    expect(await of(null)).toBeNull()
    expect(await of(undefined)).toBeNull()
  })

  test.each([
    ['in lower case', VAULT.toLowerCase()],
    ['with its checksum', VAULT],
  ])('the file accepts an address %s', async (_name, vault) => {
    expect((await load(JSON.stringify(changed('local', { 'chain.vault': vault })))).chain.vault).toBe(vault)
  })
})

describe('the shipped files', () => {
  test.each([
    ['staging', STAGING, 97],
    ['production', PRODUCTION, 56],
  ])('the file of %s starts only after its required settings are set', async (profile, variables, chainId) => {
    expect(await complaint(loadConfig(variables))).toMatch(
      new RegExp(
        `config/${profile}\\.json cannot be used: chain\\.vault and chain\\.operator must be set\\.\n.*: chain\\.vaultBlock must be set: `,
      ),
    )
    const config = await load(JSON.stringify(ready(profile)), variables)
    expect(config.chain).toMatchObject({ id: chainId, vault: VAULT, operator: OPERATOR })
  })

  test("shipped files have their chain's confirmations and a real rate limit", () => {
    const [staging, production] = [shipped.staging, shipped.production] as {
      chain: Json
      rateLimit: { perMinute: number }
    }[]
    expect(staging?.chain.confirmations).toBe(5)
    expect(production?.chain.confirmations).toBe(15)
    expect(production?.rateLimit.perMinute).toBeLessThanOrEqual(600)
  })

  test('shipped files have real prices outside the local profile', () => {
    const sourceOf = (profile: string) => marketOf(profile).source
    expect(['local', 'staging', 'production'].map(sourceOf)).toEqual(['simulated', 'live', 'live'])
  })

  test('two prices may be 2 % apart, or 10 % for clearing', async () => {
    const market = { ...marketOf('staging'), maxDisagreementBps: undefined, maxClearingDisagreementBps: undefined }
    const loaded = await load(JSON.stringify(changed('local', { market })))
    expect(loaded.market).toMatchObject({ maxDisagreementBps: 200, maxClearingDisagreementBps: 1_000 })
    for (const profile of ['staging', 'production'])
      expect(marketOf(profile)).toMatchObject({ maxDisagreementBps: 200, maxClearingDisagreementBps: 1_000 })
  })

  // Source: Chainlink's list of price feeds on BNB Chain, BNB / USD, ETH / USD and USDT / USD.
  test.each([
    [
      'production',
      '0x0567F2323251f0Aab15c8dFb1967E4e8A7D42aeE',
      '0x9ef1B8c0E4F7dc8bF5719Ea496883DC6401d5b2e',
      '0xB97Ad0E74fa7d920791E90258A6E2085088b4320',
    ],
    [
      'staging',
      '0x2514895c72f50D8bd4B4F9b1110F0D6bD2c97526',
      '0x143db3CEEfbdfe5631aDD3E50f7614B6ba708BA7',
      '0xEca2605f0BCF2BA5966372C99837b1F182d3D620',
    ],
  ])('the %s file compares the exchange with the feeds of its chain', (profile, bnb, eth, usdt) => {
    expect(marketOf(profile).usdtUsd).toMatchObject({ address: usdt })
    expect(marketOf(profile).chainlink).toMatchObject({
      BNBUSDT: { address: bnb },
      ETHUSDT: { address: eth },
    })
  })

  // Source: bscscan.com/token, both with 18 decimals on BSC.
  test('the production file has the tokens of BNB Smart Chain', () => {
    expect(shipped.production).toMatchObject({
      chain: {
        tokens: {
          USDT: { decimals: 18, address: '0x55d398326f99059fF775485246999027B3197955' },
          ETH: { decimals: 18, address: '0x2170Ed0880ac9A755fd29B2688956BD959F933F8' },
        },
      },
    })
  })
})

describe('several faults', () => {
  test('all faults of variables and file are reported together', async () => {
    const json = changed('staging', { 'product.en': '', 'orders.ttlMs': 0, 'swap.feeBps': 1 })
    const message = await complaint(load(JSON.stringify(json), { PROFILE: 'staging', PORT: 'http', SIGNER_KEY: '0x1' }))
    expect(message.replaceAll(unusable(), 'The file: ').split('\n')).toEqual([
      'PORT is "http", it must be a port number from 0 to 65535.',
      'SIGNER_KEY is no usable private key: it must be 0x and 64 hex characters.',
      'CHAIN_RPC_URL must be set outside the local profile.',
      'PUBLIC_RPC_URL must be set outside the local profile: it is the node that browsers talk to.',
      'PUBLIC_URL must be set outside the local profile: it is the domain that people sign in to.',
      'BOX_SEED_KEY must be set outside the local profile, or blindBox.allowsDraws must be false.',
      'The file: product.en: Too small: expected string to have >=1 characters.',
      'The file: orders.ttlMs: Too small: expected number to be >=1.',
      'The file: swap.revenueBps must not be above swap.feeBps.',
    ])
  })

  test('a missing file does not hide a missing variable', async () => {
    const variables = { ...PRODUCTION, CONFIG_FILE: '/nowhere/config.json', PUBLIC_URL: '', DATABASE_URL: '' }
    expect(await complaint(loadConfig(variables))).toBe(
      'PUBLIC_URL must be set outside the local profile: it is the domain that people sign in to.\nThe configuration file /nowhere/config.json cannot be used: it cannot be read.',
    )
  })
})

describe('outside the local profile', () => {
  test.each([
    [
      'staging without a node',
      'staging',
      { ...STAGING, CHAIN_RPC_URL: '' },
      'CHAIN_RPC_URL must be set outside the local profile.',
    ],
    [
      'production without a second node',
      'production',
      { ...PRODUCTION, CHAIN_RPC_URL_CHECK: '' },
      'CHAIN_RPC_URL_CHECK must be set in production: without a second node, one node could report payments that never happened.',
    ],
    [
      'a second node that is the first',
      'staging',
      { ...STAGING, CHAIN_RPC_URL_CHECK: STAGING.CHAIN_RPC_URL },
      'CHAIN_RPC_URL_CHECK must be another node than CHAIN_RPC_URL.',
    ],
    [
      'a second node that is one of several',
      'staging',
      { ...STAGING, CHAIN_RPC_URL: 'https://a.example, https://b.example', CHAIN_RPC_URL_CHECK: 'https://b.example' },
      'CHAIN_RPC_URL_CHECK must be another node than CHAIN_RPC_URL.',
    ],
    [
      'one node twice',
      'staging',
      { ...STAGING, CHAIN_RPC_URL: 'https://a.example/s3cret, https://a.example/s3cret' },
      'CHAIN_RPC_URL names the same address twice.',
    ],
    [
      'staging without a node for browsers',
      'staging',
      { ...STAGING, PUBLIC_RPC_URL: '' },
      'PUBLIC_RPC_URL must be set outside the local profile: it is the node that browsers talk to.',
    ],
    [
      'staging without a public address',
      'staging',
      { ...STAGING, PUBLIC_URL: '' },
      'PUBLIC_URL must be set outside the local profile: it is the domain that people sign in to.',
    ],
    [
      'staging without a key for the signer',
      'staging',
      { ...STAGING, SIGNER_KEY: '' },
      'SIGNER_KEY must be set outside the local profile: it signs what is transferred out.',
    ],
    [
      'staging with draws and without a key for their seeds',
      'staging',
      { ...STAGING, BOX_SEED_KEY: '' },
      'BOX_SEED_KEY must be set outside the local profile, or blindBox.allowsDraws must be false.',
    ],
    [
      'a key for seeds that is too short',
      'staging',
      { ...STAGING, BOX_SEED_KEY: '0x12' },
      'BOX_SEED_KEY is no usable key: it must be 0x and 64 hex characters.',
    ],
    [
      'an arbitrageur of the operator',
      'staging',
      { ...STAGING, ARBITRAGE: 'on' },
      'ARBITRAGE can be on in the local profile only.',
    ],
    [
      'chain 56 without PostgreSQL',
      'production',
      { ...PRODUCTION, DATABASE_URL: '' },
      'DATABASE_URL must be set on chain 56: PGlite does not fsync and is refused there.',
    ],
    [
      'PostgreSQL with the default address of the server',
      'production',
      { ...PRODUCTION, SERVER_URL: '' },
      'SERVER_URL must be set on PostgreSQL outside the local profile: two servers with the default address would replace each other in the list of servers.',
    ],
  ])('%s is refused', async (_name, file, variables, sentence) => {
    expect(await complaint(load(JSON.stringify(ready(file)), variables))).toBe(sentence)
  })

  test.each(['staging', 'production'])('the configuration rejects the vault block 0 in %s', async (profile) => {
    const json = changed(profile, { ...CUSTODY, 'chain.vaultBlock': 0 })
    expect(await complaint(load(JSON.stringify(json), profile === 'staging' ? STAGING : PRODUCTION))).toContain(
      'cannot be used: chain.vaultBlock must be set: it is the block that the vault was deployed in.',
    )
  })

  test.each([
    ['staging', STAGING],
    ['production', PRODUCTION],
  ])('the configuration rejects chain 1 in %s', async (profile, variables) => {
    const json = changed(profile, { ...CUSTODY, 'chain.id': 1 })
    expect(await complaint(load(JSON.stringify(json), variables))).toContain('cannot be used: chain.id: ')
  })

  test.each(['staging', 'production'])('a simulated market is refused in %s', async (profile) => {
    const json = { ...ready(profile), market: marketOf('local') }
    expect(await complaint(load(JSON.stringify(json), profile === 'staging' ? STAGING : PRODUCTION))).toContain(
      'cannot be used: market.source must be "live" outside the local profile.',
    )
  })

  test('production refuses a price from one source, and staging accepts it', async () => {
    const without = (profile: string) =>
      JSON.stringify(changed(profile, { ...CUSTODY, 'market.chainlink.ETHUSDT': null }))
    expect(await complaint(load(without('production'), PRODUCTION))).toContain(
      'market.chainlink.ETHUSDT must be set in production: it is the second source that the exchange is compared with.',
    )
    expect((await load(without('staging'), STAGING)).market).toMatchObject({ chainlink: { ETHUSDT: null } })
  })

  test('a profile outside local runs no arbitrageur', async () => {
    expect((await load(JSON.stringify(ready('staging')), STAGING)).env.arbitrage).toBe(false)
  })

  test('staging on the test chain may keep its data in PGlite', async () => {
    expect((await load(JSON.stringify(ready('staging')), STAGING)).env.databaseUrl).toBeUndefined()
  })

  test.each([
    ['the local chain in staging', 'local', STAGING, 'chain.id 31337 does not belong to the profile staging'],
    [
      'the main chain in the local profile',
      'production',
      { ...PRODUCTION, PROFILE: 'local' },
      'chain.id 56 does not belong to the profile local',
    ],
    ['the test chain in production', 'staging', PRODUCTION, 'production needs chain.id 56'],
  ])('%s is refused', async (_name, file, variables, why) => {
    expect(await complaint(load(JSON.stringify(ready(file)), variables))).toContain(`cannot be used: ${why}.`)
  })
})

test('an amount is read in base units, and other text is refused', () => {
  expect(configUnits('12.5', 'USDT')).toBe(12_500_000_000_000_000_000n)
  expect(() => configUnits('1e5', 'RT')).toThrow(new ConfigError('"1e5" is not an amount of RT.'))
})

test('the shares of the revenue are those of the file', async () => {
  expect(revenueShares(await loadConfig({}))).toEqual({
    rewards: 5000n,
    referral: 2000n,
    insurance: 1000n,
    treasury: 2000n,
  })
})
