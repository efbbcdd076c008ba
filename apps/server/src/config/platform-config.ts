import { termsVersion } from '@clearwell/api/fields'
import type { RevenueParts } from '@clearwell/rules/revenue-split'
import * as z from 'zod/mini'
import { defineConfig, type ValuesOf } from './config-part.ts'
import type { Environment } from './environment.ts'
import {
  address,
  amount,
  bps,
  durationMs,
  isAbove,
  opening,
  refuseEmptyOpening,
  refuseZero,
  relayUrl,
} from './fields.ts'
import { checkMarket, market } from './market-config.ts'
import { withDefaults } from './with-defaults.ts'

/** Source: `RELAYER_DEFAULT_RELAY_URL` of @walletconnect/core 2. */
const DEFAULT_RELAY_URL = 'wss://relay.walletconnect.org'

const token = z.strictObject({
  name: z.string(),
  decimals: z.int().check(z.gte(0), z.lte(18)),
  address: z.nullable(address).check(z.describe('the contract; `null` in the local profile, which deploys its own')),
})

const chain = z.strictObject({
  // Chain 1 is missing: its native coin is not BNB, and every amount of it would be booked as BNB.
  id: z.literal([31337, 97, 56]).check(z.describe('31337 in the local profile; production takes 56')),
  name: z.string(),
  explorerUrl: z.nullable(z.url()).check(z.describe('`null` where the chain has no explorer')),
  confirmations: z.int().check(z.gte(1), z.describe('what a payment needs before it is credited')),
  pollMs: durationMs.check(z.describe('how often the watcher reads the chain')),
  nodeAwayMs: z
    ._default(durationMs, 15_000)
    .check(z.describe('how long the node must fail before `/readyz` reports the chain')),
  native: z.strictObject({ name: z.string(), symbol: z.string(), decimals: z.literal(18) }),
  tokens: z.strictObject({ USDT: token, ETH: token }),
  vault: z.nullable(address).check(z.describe('the contract that holds the money; `null` in the local profile')),
  vaultBlock: z.int().check(z.gte(0), z.describe('the block that the vault was deployed in: the watcher starts there')),
  operator: z
    .nullable(address)
    .check(z.describe("the operator's own wallet: its deposits go to `treasury`; `null` in the local profile")),
})

const caps = z.strictObject({
  perVoucher: amount.check(z.describe('the most that one voucher pays')),
  perAccountPerDay: amount.check(z.describe('the most that the vouchers of one account pay in any 24 hours')),
  perDay: amount.check(
    z.describe(
      'the most that the vouchers of all accounts pay in any 24 hours, net of the deposits that came in after them',
    ),
  ),
})

const withdrawals = z.strictObject({
  voucherTtlMs: z
    .int()
    .check(
      z.gte(60_000),
      z.lte(86_400_000),
      z.describe('how long a voucher pays; unused, its amount is available again once that is final on the chain'),
    ),
  caps: z
    .strictObject({ BNB: caps, USDT: caps, ETH: caps })
    .check(
      z.describe(
        "what the signer signs at most. The start refuses caps above the vault's own limits; keep `perDay` at half of the vault's. The most per transfer out is the lower of `perVoucher` and `limits.<asset>.maxOut`. [Announced caps](../concepts/rules.md) can be lower, and never higher",
      ),
    ),
})

const nodeCalls = z.strictObject({
  perAddress: z
    .int()
    .check(
      z.gte(6),
      z.describe(
        "requests to the chain's node that sign-ins of smart-contract wallets from one client address may cause; one sign-in needs up to six",
      ),
    ),
  inAll: z
    .int()
    .check(z.gte(6), z.describe("the same for all clients together: keep it below the quota of the node's provider")),
})

const firstOwner = z.strictObject({
  address: address.check(z.describe("of the wallet that signs the person's commands")),
  name: z.string().check(z.minLength(1), z.maxLength(60), z.regex(/^[^\p{Cc},]*$/u)),
})

const contact = z
  .string()
  .check(
    z.maxLength(200),
    z.regex(
      /^(https:\/\/[^\s@]+|[^\s@<>":/]+@[^\s@<>":/]+\.[^\s@<>":/]+)$/,
      'must be an e-mail address or an https address',
    ),
  )

const stated = z.string().check(z.minLength(1), z.maxLength(120), z.regex(/^[^\p{Cc}]*$/u))
const page = z.string().check(z.maxLength(300), z.regex(/^https:\/\/[^\s@<>"]+$/, 'must be an https address'))

const audit = z.strictObject({
  name: stated.check(z.describe('the firm, and the part that it audited')),
  date: z.iso.date().check(z.describe('the day of its report: `2026-11-28`')),
  url: page.check(z.describe('the report')),
})

const operator = z.strictObject({
  name: z.nullable(stated).check(z.describe('the person or company that runs the product; `null`: not stated')),
  place: z.nullable(stated).check(z.describe('where it is registered, with its number; `null`: not stated')),
  terms: z
    .nullable(
      z.strictObject({
        version: termsVersion.check(
          z.describe(
            'letters, digits, `.`, `_` and `-`. Change it with the text: the app then shows the new terms to everyone',
          ),
        ),
        url: page.check(z.describe('the page with the text')),
      }),
    )
    .check(z.describe("the operator's terms, which users accept at activation; `null`: none given")),
  helpUrl: z.nullable(page).check(z.describe("the operator's help; `null`: none given")),
  audits: z
    .array(audit)
    .check(z.maxLength(20), z.describe('reports of outside firms, as the operator states them; empty: none')),
})

const walletConnect = z.strictObject({
  projectId: z
    .string()
    .check(
      z.regex(/^[0-9a-f]{32}$/, 'must be the 32 hex characters that WalletConnect gave'),
      z.describe("the project's id, which everyone can read"),
    ),
  relayUrl: z
    ._default(relayUrl, DEFAULT_RELAY_URL)
    .check(z.describe('the relay: a `wss://` origin, which pages may then talk to')),
})

const database = z.strictObject({
  readConnections: z
    .int()
    .check(
      z.gte(2),
      z.lte(500),
      z.describe(
        "PostgreSQL connections for requests and background work; the ledger's writer has three more, which it keeps open",
      ),
    ),
  readTimeoutMs: z
    .int()
    .check(
      z.gte(100),
      z.lte(60_000),
      z.describe('PostgreSQL cancels a statement of a request or a job after this long; the request gets 50300'),
    ),
  writeTimeoutMs: z
    .int()
    .check(z.gte(1_000), z.lte(60_000), z.describe("the same for a statement of the ledger's writer")),
  replicaConnections: z
    .int()
    .check(
      z.gte(1),
      z.lte(500),
      z.describe('with `READ_DATABASE_URL`: connections to the replica; one more asks the primary how far it is'),
    ),
  replicaWaitMs: z
    .int()
    .check(
      z.gte(0),
      z.lte(5_000),
      z.describe(
        'how long a call waits for the replica to have what the primary has; then the primary serves the call',
      ),
    ),
  replicaLagMs: z
    .int()
    .check(
      z.gte(2_000),
      z.lte(600_000),
      z.describe(
        'a replica that is further behind is not used until it has caught up. If it was when the primary was lost, it serves no reads without it',
      ),
    ),
})

const solvency = z.strictObject({
  everyMs: z
    .int()
    .check(
      z.gte(1_000),
      z.lte(600_000),
      z.describe(
        'how often the leader compares the ledger with the vault. Visitors repeat the comparison at the same block, so keep it well below the time for which public nodes keep the state of a block',
      ),
    ),
  maxAgeMs: durationMs.check(
    z.describe('a comparison older than this proves nothing any more: `proof/reserves` then returns `healthy: null`'),
  ),
})

const files = z.strictObject({
  perAddress: z
    .int()
    .check(z.gte(1), z.describe('files (CSV, the file of a day) that one client address receives at a time')),
  inAll: z
    .int()
    .check(z.gte(1), z.describe('the same for all clients: each keeps a piece of at most 1,000 rows in memory')),
  minBytesPerSecond: z
    .int()
    .check(
      z.gte(1),
      z.describe(
        'a client that takes fewer bytes of a file a second is disconnected; the time in which the server makes a piece does not count',
      ),
    ),
  stallMs: durationMs.check(z.describe('how long a client may take less than that')),
})

const streams = z.strictObject({
  inAll: z
    .int()
    .check(
      z.gte(1),
      z.describe(
        'open event streams of all clients. When all are taken, a newcomer takes the newest of the address that has the most',
      ),
    ),
  perAddress: z.int().check(z.gte(1), z.describe('streams without a session of one client address')),
  sessionsPerAddress: z.int().check(z.gte(1), z.describe('streams of all sessions behind one client address')),
  perAccount: z.int().check(z.gte(1), z.describe('streams of all devices of one account')),
  perSession: z.int().check(z.gte(1), z.describe('streams of one session: one for each tab')),
})

const days = (min: number, about: string) => z.int().check(z.gte(min), z.lte(3_650), z.describe(about))

const retention = z.strictObject({
  answersDays: days(
    30,
    'days that the response to an idempotency key is kept, also that of a rejected command; later the key is unknown',
  ),
  sessionsDays: days(1, 'days after which an expired session is deleted'),
  emptyAccountsDays: z
    ._default(z.int().check(z.gte(1), z.lte(3_650)), 30)
    .check(
      z.describe(
        'days after the end of its last session that an account is deleted which was never used: without a ledger entry, lead, order, plan, UID or unconfirmed payment. At most `retention.sessionsDays`',
      ),
    ),
  ordersDays: days(
    1,
    'days after its expiry that an unpaid transfer in is deleted; a later payment is still credited to its sender',
  ),
  alarmsDays: days(7, 'days after which an alarm that was not raised again is deleted'),
  alertsDays: days(30, 'days after which a delivered or cancelled price alert is deleted'),
  // A year of a balance's value is computed from them.
  minuteCandlesDays: days(370, 'days that candles of one minute are kept; longer ones are kept for ever'),
})

const operatorAccount = z.strictObject({
  address,
  role: z.enum(['liquidity', 'treasury', 'arbitrageur']),
})

/** The keys that the platform reads. A feature or a domain owns the keys that only it reads. */
export const platformConfig = defineConfig({
  shape: {
    product: z
      .strictObject({ en: z.string().check(z.minLength(1)), 'zh-HK': z.string().check(z.minLength(1)) })
      .check(z.describe("the product's name in both languages")),
    contact: z
      ._default(z.nullable(contact), null)
      .check(z.describe('where users reach the operator: an e-mail address or a page; `null`: not stated')),
    operator: withDefaults(operator, { name: null, place: null, terms: null, helpUrl: null, audits: [] }).check(
      z.describe('who runs the product, as the screen `/trust` says'),
    ),
    chain: chain.check(z.describe('the required chain and its contracts')),
    database: withDefaults(database, {
      readConnections: 10,
      readTimeoutMs: 5_000,
      writeTimeoutMs: 15_000,
      replicaConnections: 5,
      replicaWaitMs: 250,
      replicaLagMs: 10_000,
    }).check(z.describe('limits of the database, on PostgreSQL')),
    retention: withDefaults(retention, {
      answersDays: 30,
      sessionsDays: 30,
      emptyAccountsDays: 30,
      ordersDays: 90,
      alarmsDays: 90,
      alertsDays: 90,
      minuteCandlesDays: 400,
    }).check(z.describe('when old rows are deleted: [every table](retention.md)')),
    claim: z.strictObject({ opening: opening.check(z.describe('daily opening times in Hong Kong')) }),
    revenueSplitBps: z
      .strictObject({ rewards: bps, referral: bps, insurance: bps, treasury: bps })
      .check(z.describe('how revenue is shared out; must add up to 10000')),
    rt: z.strictObject({
      supply: amount.check(z.describe('the whole supply of RT')),
      program: amount.check(z.describe('the part of it for the programme')),
    }),
    market: market.check(z.describe('where spot prices come from: [below](#the-market)')),
    session: z.strictObject({
      nonceTtlMs: durationMs.check(z.describe('how long a sign-in message can be signed')),
      idleTtlMs: durationMs.check(z.describe('how long without use after which a session ends')),
      nodeCallsPerMinute: withDefaults(nodeCalls, { perAddress: 120, inAll: 1_200 }),
    }),
    orders: z.strictObject({
      ttlMs: durationMs.check(
        z.describe('when an unpaid order is shown as expired; a later payment is still credited'),
      ),
    }),
    withdrawals: withDefaults(withdrawals, {
      voucherTtlMs: 3_600_000,
      caps: {
        BNB: { perVoucher: '1000', perAccountPerDay: '1000', perDay: '5000' },
        USDT: { perVoucher: '1000000', perAccountPerDay: '1000000', perDay: '5000000' },
        ETH: { perVoucher: '1000', perAccountPerDay: '1000', perDay: '5000' },
      },
    }),
    solvency: withDefaults(solvency, { everyMs: 20_000, maxAgeMs: 300_000 }),
    rateLimit: z.strictObject({
      perMinute: z
        .int()
        .check(
          z.gte(1),
          z.describe(
            'API requests of an account, or of a client address (IPv6: its /64 network) without a session; a tenth of it for each call that always asks the chain (`active`, `retrieve`, `sell`). As many sign-in calls (`getNonce`, `login`) of a client address, with or without a token',
          ),
        ),
      publicPerMinute: z
        ._default(z.int().check(z.gte(1)), 1_500)
        .check(
          z.describe(
            'calls of a client address that need no session, with or without a token; a fifth of it for charts of the spot market. A dear call counts as several: [limits](limits.md)',
          ),
        ),
      accountsPerAddress: z
        ._default(z.int().check(z.gte(1)), 100)
        .check(
          z.describe(
            'all accounts behind one address make at most as many requests as this many accounts may, and so do visitors who only poll prices',
          ),
        ),
    }),
    files: withDefaults(files, { perAddress: 4, inAll: 50, minBytesPerSecond: 16_384, stallMs: 20_000 }),
    streams: withDefaults(streams, {
      inAll: 10_000,
      perAddress: 100,
      sessionsPerAddress: 1_000,
      perAccount: 24,
      perSession: 8,
    }),
    operatorAccounts: z
      ._default(z.array(operatorAccount).check(z.maxLength(100)), [])
      .check(z.describe("the operator's own accounts: published by `GET /config`, and they click no box")),
    firstOwners: z
      ._default(z.array(firstOwner).check(z.maxLength(10)), [])
      .check(
        z.describe(
          'the persons who own a ledger that has no [persons](../recipes/operator-persons.md) yet: two at least, because two sign what lets money move. Later changes are made by `operator -- persons` alone',
        ),
      ),
    walletConnect: z._default(z.nullable(walletConnect), null).check(z.describe('`null`: not offered')),
  },
  check({ chain, claim, firstOwners, market, retention, revenueSplitBps, rt, solvency, withdrawals }, fail, env) {
    if (retention.emptyAccountsDays > retention.sessionsDays)
      fail(
        'retention.emptyAccountsDays must not be above retention.sessionsDays: the sessions say when an account was used',
      )
    for (const [asset, { perVoucher, perAccountPerDay, perDay }] of Object.entries(withdrawals.caps)) {
      const name = `withdrawals.caps.${asset}`
      if (isAbove(perVoucher, perAccountPerDay)) fail(`${name}.perVoucher must not be above perAccountPerDay`)
      if (isAbove(perAccountPerDay, perDay)) fail(`${name}.perAccountPerDay must not be above perDay`)
    }
    const owners = new Set(firstOwners.map(({ address }) => address.toLowerCase()))
    if (firstOwners.length > 0 && (owners.size < 2 || owners.size < firstOwners.length))
      fail('firstOwners must name at least two persons with different addresses')
    if (solvency.maxAgeMs < 2 * solvency.everyMs) fail('solvency.maxAgeMs must be at least twice solvency.everyMs')
    refuseZero('rt.supply', rt.supply, fail)
    if (isAbove(rt.supply, '0') && (!isAbove(rt.program, '0') || !isAbove(rt.supply, rt.program)))
      fail('rt.program must be above zero and below rt.supply')
    refuseEmptyOpening('claim.opening', claim.opening, fail)
    const { rewards, referral, insurance, treasury } = revenueSplitBps
    if (rewards + referral + insurance + treasury !== 10_000) fail('revenueSplitBps must add up to 10000')
    const isLocal = env.profile === 'local'
    if (isLocal !== (chain.id === 31337)) fail(`chain.id ${chain.id} does not belong to the profile ${env.profile}`)
    else if (env.profile === 'production' && chain.id !== 56) fail('production needs chain.id 56')
    if (!isLocal && (!chain.vault || !chain.operator)) fail('chain.vault and chain.operator must be set')
    if (!isLocal && chain.vaultBlock === 0)
      fail('chain.vaultBlock must be set: it is the block that the vault was deployed in')
    checkMarket(market, env.profile, fail)
  },
})

/** The configuration that every part of the server may read. */
export type PlatformConfig = ValuesOf<typeof platformConfig.shape> & { env: Environment }

/** How a swap's revenue is shared out, in basis points. */
export function revenueShares({ revenueSplitBps: shares }: Pick<PlatformConfig, 'revenueSplitBps'>): RevenueParts {
  return {
    rewards: BigInt(shares.rewards),
    referral: BigInt(shares.referral),
    insurance: BigInt(shares.insurance),
    treasury: BigInt(shares.treasury),
  }
}
