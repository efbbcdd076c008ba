import { describe, expect, test } from 'vitest'
import { poolLimits } from './features/swap/swap.config.ts'
import { loadConfig } from './load-config.ts'
import {
  changed,
  complaint,
  marketOf,
  ready,
  STAGING,
  shipped,
  useConfigFolder,
  VAULT,
} from './testing/config-files.ts'

const { load, unusable } = useConfigFolder()

const PROJECT = '0123456789abcdef0123456789abcdef'

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
