import * as z from 'zod/mini'
import { asset, decimalText, nothing } from './fields.ts'
import { mergeParts } from './parts.ts'
import type { Route } from './route.ts'
import { plannedUpgrade, ruleChange } from './rule.routes.ts'

const chain = z.object({
  id: z.int(),
  name: z.string(),
  rpc_url: z.string(),
  explorer_url: z.nullable(z.string()),
  confirmations: z.int(),
  native: z.object({ name: z.string(), symbol: z.string(), decimals: z.int() }),
})

/** A chain that wallets may be on. If this operator does not use it, there is no node and nothing is confirmed. */
const listedChain = z.extend(chain, { rpc_url: z.nullable(z.string()), confirmations: z.nullable(z.int()) })

/** The fields that features publish of their configuration. */
const featureFields = mergeParts('config')
export type FeatureConfig = Pick<z.output<typeof configRoutes.config.response>, keyof typeof featureFields>

/** Parts that all servers of a ledger need from elsewhere: the chain's nodes, the sources of market prices, the push services. */
export const SHARED_PARTS = ['chain', 'market', 'push', 'headers'] as const
export type SharedPart = (typeof SHARED_PARTS)[number]

export const configRoutes = {
  config: {
    method: 'GET',
    path: '/config',
    session: 'none',
    idempotent: false,
    summary: "Returns the operator's configuration: chain, vault, assets, limits, fees, opening times.",
    payload: nothing,
    response: z.object({
      product: z.object({ en: z.string(), 'zh-HK': z.string() }),
      /** Where users reach the operator: an e-mail address or an https address. null: not stated. */
      contact: z.nullable(z.string()),
      /** The person or company that runs the product. null: not stated, or none given. */
      operator: z.object({
        name: z.nullable(z.string()),
        place: z.nullable(z.string()),
        /** Reports of outside firms, as the operator states them. `date` is a day such as 2026-11-28. */
        audits: z.array(z.object({ name: z.string(), date: z.string(), url: z.string() })),
        /** The page of `terms`, for clients of version 0.2.0. */
        terms_url: z.nullable(z.string()),
        /** The same as `help`, for clients of version 0.2.0. */
        help_url: z.nullable(z.string()),
      }),
      /** The operator's terms. The app asks for acceptance at activation and sends the version. null: none given. */
      terms: z.nullable(z.object({ version: z.string(), url: z.string() })),
      /** The page of the operator's help. null: none given. */
      help: z.nullable(z.string()),
      /** The operator's own accounts, in lower case. They click no box. */
      operator_accounts: z.array(
        z.object({ address: z.string(), role: z.enum(['liquidity', 'treasury', 'arbitrageur']) }),
      ),
      profile: z.enum(['local', 'staging', 'production']),
      time: z.string(),
      chain,
      /** The required chain first, then the others that the product knows. */
      chains: z.array(listedChain),
      /** null: WalletConnect is not offered. */
      wallet_connect: z.nullable(z.object({ project_id: z.string(), relay_url: z.string() })),
      /** A node of another provider, which browsers compare with that of `chain`. null: none is configured. */
      check_rpc_url: z.nullable(z.string()),
      vault: z.string(),
      assets: z.array(
        z.object({
          asset,
          name: z.string(),
          decimals: z.int(),
          /** null: native coin, or an asset that lives in the ledger only. */
          address: z.nullable(z.string()),
          /** `native` coin, `token` contract, or only in the `ledger`. */
          kind: z.enum(['native', 'token', 'ledger']),
          min_in: decimalText,
          max_in: decimalText,
          min_out: decimalText,
          max_out: decimalText,
        }),
      ),
      fees: z.object({
        /** Fractions: 0.0025 is 0.25 %. */
        swap_total: decimalText,
        swap_revenue: decimalText,
        revenue_split: z.object({
          rewards: decimalText,
          referral: decimalText,
          insurance: decimalText,
          treasury: decimalText,
        }),
        activation: z.object({ asset, amount: decimalText }),
      }),
      opening: z.object({
        activation: z.union([z.literal('always'), z.object({ opens: z.string(), closes: z.string() })]),
        claim: z.union([z.literal('always'), z.object({ opens: z.string(), closes: z.string() })]),
      }),
      ...featureFields,
      /** Parts of the product that are open in this build. */
      features: z.array(z.string()),
      simulated_market: z.boolean(),
      /** True if the users and their history are simulated, in the local profile only. */
      demo: z.boolean(),
      build: z.string(),
      /** Shared parts that do not work now. A command that needs one gets 50300 with `data.part`; without `headers`, 20005 with the reason `no_header`. A later version may add parts. */
      degraded: z.array(z.enum(SHARED_PARTS)),
      /** The next changes of rules, the earliest first, ten at most. */
      announced: z.array(ruleChange),
      /** Planned upgrades that have not ended, the earliest first, ten at most. */
      upgrades: z.array(plannedUpgrade),
    }),
    refusals: [],
  },
} as const satisfies Record<string, Route>
