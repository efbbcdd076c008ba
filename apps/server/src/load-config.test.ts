import { describe, expect, test } from 'vitest'
import { ConfigError } from './config/config-error.ts'
import { configUnits } from './config/fields.ts'
import { revenueShares } from './config/platform-config.ts'
import { loadConfig } from './load-config.ts'
import {
  CUSTODY,
  changed,
  complaint,
  type Json,
  marketOf,
  OPERATOR,
  PRODUCTION,
  ready,
  STAGING,
  shipped,
  useConfigFolder,
  VAULT,
} from './testing/config-files.ts'

const { load, unusable } = useConfigFolder()

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

  test('two prices may be 2% apart, or 10% for clearing', async () => {
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
      'SIGNER_KEY is not a valid private key: it must be 0x and 64 hex characters.',
      'PROOFS must be on with VAULT_KIND=exits: a voucher is signed under a header.',
      'BOOKKEEPER_URL must be set with VAULT_KIND=exits, the default outside the local profile: the vault takes no root without a bookkeeper.',
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
      'BOX_SEED_KEY is not a valid key: it must be 0x and 64 hex characters.',
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
