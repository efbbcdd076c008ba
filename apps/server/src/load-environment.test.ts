import { createECDH } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { vaultKindFile } from './config/local-vault-kind.ts'
import { loadConfig, loadOwnConfig } from './load-config.ts'
import { complaint } from './testing/config-files.ts'

describe('without anything set', () => {
  test('the default is the local profile with its own database and chain', async () => {
    const config = await loadConfig({})
    expect(config.env).toEqual({
      profile: 'local',
      role: 'all',
      port: 3000,
      dataDir: '.data',
      databaseUrl: undefined,
      chainRpcUrls: [],
      host: '127.0.0.1',
      chainPort: 8545,
      vaultKind: 'plain',
      drainMs: 0,
      publicUrl: undefined,
      trustedProxies: ['127.0.0.0/8', '::1/128'],
      arbitrage: true,
      bookkeepers: [],
      proofs: true,
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

test('only a process itself takes the vault of the local data folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-config-'))
  await writeFile(vaultKindFile(folder), 'exits')
  onTestFinished(() => rm(folder, { recursive: true }))
  vi.stubEnv('DATA_DIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect((await loadOwnConfig()).env).toMatchObject({ dataDir: folder, vaultKind: 'exits' })
  expect((await loadConfig({ DATA_DIR: folder })).env).toMatchObject({ dataDir: folder, vaultKind: 'plain' })
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
      role: 'all',
      port: 0,
      dataDir: '/data',
      databaseUrl: 'postgresql://u:p@h/d',
      chainRpcUrls: ['http://127.0.0.1:8545'],
      host: '127.0.0.1',
      chainPort: 65535,
      vaultKind: 'plain',
      drainMs: 1500,
      publicUrl: 'https://app.example',
      trustedProxies: ['10.0.0.5', 'fd00::/64'],
      arbitrage: false,
      bookkeepers: [],
      proofs: true,
      metrics: { host: '10.0.0.7', port: 9090, isChosen: true },
      logLevel: 'debug',
      accessLog: false,
    })
  })

  test.each([
    ['PROFILE', 'prod', 'PROFILE is "prod", it must be one of local, staging, production.'],
    ['PROFILE', '', 'PROFILE is "", it must be one of local, staging, production.'],
    ['ROLE', 'reader', 'ROLE is "reader", it must be one of all, web, writer.'],
    ['ROLE', 'web', 'DATABASE_URL must be set with ROLE=web: servers share one PostgreSQL.'],
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
    ['SERVER_KEY', '0x12', 'SERVER_KEY is not a valid key: it must be 0x and 64 hex characters.'],
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
    expect(await complaint(loadConfig({ [name]: value }))).toBe(`${name} is not a valid address.`)
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
      'SIGNER_KEY is not a valid private key: it must be 0x and 64 hex characters.',
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
      'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are not a valid pair: they must be a point of P-256 and its key, 65 and 32 bytes in base64url.',
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
