import type { SecretFiles } from './secret-files.ts'

/** Every environment variable of the server, as docs/reference/configuration.md lists it. */
export const VARIABLES = {
  PROFILE: { fallback: '`local`', about: '`local`, `staging` or `production`' },
  ROLE: {
    fallback: '`all`',
    about:
      'what this server does. `web`: pages, calls, sessions and streams; it never leads, and forwards commands. `writer`: it may lead, and takes only what other servers forward, and `/healthz` and `/readyz`. `all`: both. [Split web servers and writer](../recipes/run-a-cluster.md#split-web-servers-and-writer)',
  },
  PORT: { fallback: '`3000`', about: 'web, API and stream; 0 takes a free one' },
  HOST: {
    fallback: '`0.0.0.0`, and `127.0.0.1` in the local profile',
    about:
      'the address of this machine that they listen on; `127.0.0.1` behind a proxy on the same machine. In the local profile only a loopback address',
  },
  DATA_DIR: { fallback: '`.data`', about: 'PGlite, the local chain, the lock' },
  DATABASE_URL: {
    fallback: 'none',
    about: 'a secret: PostgreSQL 15 or later; without it PGlite, which is refused on chain 56',
  },
  READ_DATABASE_URL: {
    fallback: 'none',
    about:
      'a secret: a standby of `DATABASE_URL`, or a proxy that leads to one. Calls that only read are served from it, and go on while the primary is away: [Replicate the database](../recipes/replicate-the-database.md#read-from-a-standby)',
  },
  CHAIN_RPC_URL: {
    fallback: 'none',
    about:
      "a secret: the chain's nodes, with commas between them. The first one that works is asked, and the next one while it does not answer. Required outside the local profile; the local profile takes one, and starts anvil without it",
  },
  CHAIN_RPC_URL_CHECK: {
    fallback: 'none',
    about:
      'a secret: a second opinion, from a node of another operator; nothing is credited unless both report the same. Required in production',
  },
  CHAIN_PORT: { fallback: '`8545`', about: 'the local chain' },
  VAULT_KIND: {
    fallback: '`exits`; local: as `npm start` stored it in the data folder, else `plain`',
    about:
      'the contract at `chain.vault`: `exits` for [the vault with exits](../concepts/exit.md), or `plain`, which was the only one until 0.2.0. The same on every server of the ledger',
  },
  SERVER_URL: {
    fallback: '`http://127.0.0.1:PORT`',
    about:
      'where the other servers on the same PostgreSQL reach this one: followers forward commands to the leader; required on PostgreSQL outside the local profile. Not for the public',
  },
  SERVER_KEY: {
    fallback: 'none',
    about:
      'a secret: 0x and 64 hex characters, the same on every server of the ledger. It signs the commands that followers forward. Without it, anyone who can read the database can pose as a server',
  },
  SERVER_CA: {
    fallback: 'the authorities that Node trusts',
    about: 'a file in PEM: the only authorities whose certificates other servers may have at an `https` `SERVER_URL`',
  },
  DRAIN_MS: {
    fallback: '`5000`, and `0` in the local profile',
    about:
      'how long the server goes on serving after the signal to stop, from 0 to 120000: longer than your load balancer needs to notice that `/readyz` fails. Your process manager must wait ten seconds longer',
  },
  TRUSTED_PROXIES: {
    fallback: "this machine's own addresses",
    about:
      'the proxies in front of the server, as addresses and networks with commas between them (`10.0.0.5,fd00::/64`); `none` without a proxy. Limits count clients by the `X-Forwarded-For` of these proxies alone. List nothing else: a client at a listed address can name any address, and evades every limit',
  },
  PUBLIC_RPC_URL: {
    fallback: "the local chain's",
    about:
      'the node that browsers talk to, readable by everyone; required outside the local profile, so that `CHAIN_RPC_URL` stays secret',
  },
  PUBLIC_RPC_URL_CHECK: {
    fallback: 'none',
    about:
      'a second node for browsers, of another provider. A check of a balance calls a header missing from the vault only if two nodes say so; without this one it says that it could not check',
  },
  PUBLIC_URL: {
    fallback: '`http://127.0.0.1:PORT`',
    about: 'where people open the app: the domain of the sign-in message; required outside the local profile',
  },
  SIGNER_KEY: {
    fallback: "the local chain's signer",
    about:
      'a secret: the private key that signs vouchers, 0x and 64 hex characters; required outside the local profile. The vault must name its address as signer, or nothing is signed',
  },
  OPERATOR_KEY: {
    fallback: 'none; in the local profile the known keys of its two owners',
    about:
      "a secret of a person, for the operator's command line alone: the private key that signs the person's commands, 0x and 64 hex characters. Never on a server. A hardware wallet needs none: [who may do what](../recipes/operator-persons.md)",
  },
  BOX_SEED_KEY: {
    fallback: 'a known key in the local profile',
    about:
      'a secret: 0x and 64 hex characters, the same on every server of the ledger. The seeds of the blind boxes derive from it; required outside the local profile where `blindBox.allowsDraws` is true. With another key the seeds of the next eight days are lost, and those days draw ×1',
  },
  PROOFS: {
    fallback: '`on`; in staging only where both of its keys are set',
    about:
      'whether headers of the ledger are made and signed, by which users check their balances; production cannot turn them `off`',
  },
  PROOF_ROOT_KEY: {
    fallback: 'a known key in the local profile',
    about:
      'a secret: the private key that signs the headers of the ledger, 0x and 64 hex characters, the same on every server of the ledger; required where proofs are made. Never the key of `SIGNER_KEY`',
  },
  PROOF_DATA_KEY: {
    fallback: 'a known key in the local profile',
    about:
      'a secret: 0x and 64 hex characters, the same on every server of the ledger; required where proofs are made. The keys of the proof data derive from it, one for each quarter',
  },
  POSTER_PRIVATE_KEY: {
    fallback: 'none',
    about:
      'a secret, with `VAULT_KIND=exits`: the private key of the account that pays the gas of [posting headers](../concepts/exit.md#how-headers-reach-the-vault), 0x and 64 hex characters, the same on every server of the ledger. It has no rights; no other key may be its key. Without it none are posted, unless someone else does',
  },
  BOOKKEEPER_URL: {
    fallback: 'none',
    about:
      'where the [bookkeeper](../concepts/bookkeeper.md) publishes its signatures. With `BOOKKEEPER_ADDRESS` and `BOOKKEEPER_TOKEN` or not at all; with them, no header is signed without it',
  },
  BOOKKEEPER_ADDRESS: { fallback: 'none', about: "the address of the bookkeeper's key" },
  BOOKKEEPER_TOKEN: {
    fallback: 'none',
    about:
      'a secret: 0x and 64 hex characters, by which the bookkeeper reads the ledger at `/internal/ledger` of any server',
  },
  BOOKKEEPER_URL_2: {
    fallback: 'none',
    about:
      'a second bookkeeper, on another machine with its own key: it signs while the first one does not answer. With `BOOKKEEPER_ADDRESS_2` and `BOOKKEEPER_TOKEN_2` or not at all',
  },
  BOOKKEEPER_ADDRESS_2: { fallback: 'none', about: "the address of the second bookkeeper's key" },
  BOOKKEEPER_TOKEN_2: {
    fallback: 'none',
    about: 'a secret: 0x and 64 hex characters, by which the second bookkeeper reads the ledger',
  },
  ARBITRAGE: {
    fallback: '`on` in the local profile',
    about: 'whether a simulated trader keeps the pools near the simulated market; elsewhere it cannot be `on`',
  },
  LOCAL_BOOKKEEPER: {
    fallback: '`on` in the local profile',
    about:
      '`off`: `npm start` of the local profile starts no [bookkeeper](../concepts/bookkeeper.md) beside the server. For tests and measurements of the server alone',
  },
  METRICS_PORT: {
    fallback: '`PORT` plus 6464, or a free port where that is taken',
    about: '`/metrics` for Prometheus; 0 takes a free port, `off` serves none',
  },
  METRICS_HOST: { fallback: '`127.0.0.1`', about: 'the address that `/metrics` listens on. Not for the public' },
  LOG_LEVEL: {
    fallback: '`info`',
    about:
      'the least severe lines that are logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. The log is JSON on the standard error stream, and text on a terminal',
  },
  ACCESS_LOG: {
    fallback: '`off`',
    about: '`on` logs a line for each request, with the address of its client. [Events](events.md) has the fields',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    fallback: 'none',
    about:
      'a collector of OpenTelemetry that takes OTLP over HTTP (`http://127.0.0.1:4318`): it gets a span of each request, also across forwarded commands',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    fallback: 'none',
    about: 'a secret: the headers that the collector asks for, as `name=value,name=value`',
  },
  OTEL_TRACES_SAMPLER_ARG: { fallback: '`1`', about: 'the part of the traces that is recorded, from 0 to 1' },
  ALARM_WEBHOOK_URL: {
    fallback: 'none',
    about:
      'a secret: where each new [alarm](metrics.md#alarms) is sent by POST, and again once an hour while it is repeated. With `ALARM_WEBHOOK_KEY` or not at all',
  },
  ALARM_WEBHOOK_KEY: {
    fallback: 'none',
    about:
      'a secret: 24 to 64 bytes in base64, with or without `whsec_` before them. It signs each message as [Standard Webhooks](https://www.standardwebhooks.com) says',
  },
  VAPID_PUBLIC_KEY: {
    fallback: 'none',
    about:
      'Web Push: the public key of a P-256 pair, 65 bytes in base64url. All three `VAPID_` variables or none; without them notices appear in the app only. Devices are bound to the pair: with another one each has to be turned on again',
  },
  VAPID_PRIVATE_KEY: { fallback: 'none', about: 'a secret: the private key of that pair, 32 bytes in base64url' },
  VAPID_SUBJECT: { fallback: 'none', about: 'a `mailto:` or `https:` address that push services can write to' },
  CONFIG_FILE: { fallback: '`apps/server/config/<profile>.json`', about: 'the file below' },
} as const satisfies Record<string, { readonly fallback: string; readonly about: string }>

/** The variables that are read. One that is not listed does not compile. */
export type Variables = { readonly [Name in keyof typeof VARIABLES]?: string | undefined } & SecretFiles

export type VariableName = keyof typeof VARIABLES
