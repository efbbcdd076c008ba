import type { configRoutes, FeatureConfig, SharedPart } from '@clearwell/api/config.routes'
import type { ResponseOf } from '@clearwell/api/routes'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { operatorAccounts } from './config/operator-accounts.ts'
import { maxOut } from './features/wallet/wallet.config.ts'
import { FEATURES } from './features.ts'
import type { Both, Config } from './load-config.ts'
import type { Custody } from './platform/chain/chain.ts'
import type { HandlersOf } from './platform/http/request-context.ts'
import type { Clock } from './platform/time/clock.ts'

const NAMES: Readonly<Record<AssetId, string>> = {
  BNB: 'BNB',
  USDT: 'Tether USD',
  ETH: 'Ethereum Token',
  RT: 'Rich Together',
}

const native = (name: string, symbol: string) => ({ name, symbol, decimals: 18 })
/** Known only to an operator who uses the chain. */
const unused = { rpc_url: null, confirmations: null }

/** The chains that the product knows, the default first (specification §3). */
const KNOWN_CHAINS: ResponseOf<'config'>['chains'] = [
  {
    id: 56,
    name: 'BNB Smart Chain',
    explorer_url: 'https://bscscan.com',
    native: native('BNB', 'BNB'),
    ...unused,
  },
  {
    id: 97,
    name: 'BNB Smart Chain Testnet',
    explorer_url: 'https://testnet.bscscan.com',
    native: native('tBNB', 'tBNB'),
    ...unused,
  },
  { id: 1, name: 'Ethereum', explorer_url: 'https://etherscan.io', native: native('Ether', 'ETH'), ...unused },
]

/** `GET /config`: the parts of the configuration that the web app needs. */
export function configHandlers(deps: {
  config: Config
  custody: Custody
  rpcUrl: string
  build: string
  clock: Clock
  /** The open features of the product. */
  features: readonly string[]
  /** True if the users and their history are simulated. */
  hasDemo: () => boolean
  /** The shared parts that do not work now. */
  degraded: () => SharedPart[]
}): HandlersOf<typeof configRoutes> {
  const { config, custody, rpcUrl, build, clock, features, hasDemo, degraded } = deps
  const chain: ResponseOf<'config'>['chain'] = {
    id: config.chain.id,
    name: config.chain.name,
    rpc_url: rpcUrl,
    explorer_url: config.chain.explorerUrl,
    confirmations: config.chain.confirmations,
    native: config.chain.native,
  }
  const fraction = (bps: number) => formatUnits(BigInt(bps), 4)
  const response: Omit<ResponseOf<'config'>, 'time' | 'demo' | 'degraded'> = {
    product: config.product,
    operator_accounts: operatorAccounts(config),
    profile: config.env.profile,
    chain,
    chains: [chain, ...KNOWN_CHAINS.filter(({ id }) => id !== chain.id)],
    wallet_connect: config.walletConnect && {
      project_id: config.walletConnect.projectId,
      relay_url: config.walletConnect.relayUrl,
    },
    vault: custody.vault,
    assets: ASSET_IDS.map((asset) => assetResponse(config, custody, asset)),
    fees: {
      swap_total: fraction(config.swap.feeBps),
      swap_revenue: fraction(config.swap.revenueBps),
      revenue_split: {
        rewards: fraction(config.revenueSplitBps.rewards),
        referral: fraction(config.revenueSplitBps.referral),
        insurance: fraction(config.revenueSplitBps.insurance),
        treasury: fraction(config.revenueSplitBps.treasury),
      },
      activation: { asset: config.activation.asset, amount: config.activation.amount },
    },
    opening: { activation: config.activation.opening, claim: config.claim.opening },
    ...publishedByFeatures(config),
    features: [...features],
    simulated_market: config.market.source === 'simulated',
    build,
  }
  return {
    config: () => ({ ...response, demo: hasDemo(), degraded: degraded(), time: clock.now().toISOString() }),
  }
}

/** The fields that features publish. Does not compile while the API declares one that no feature fills. */
function publishedByFeatures(config: Config): FeatureConfig {
  const parts = FEATURES.map(({ publishes }) => publishes?.(config))
  return Object.assign({}, ...parts) as Both<PublishedOf<(typeof FEATURES)[number]>>
}

type PublishedOf<Each> = Each extends { readonly publishes?: (config: never) => infer Published } ? Published : never

/** The origins that a page may talk to beside its own: the chain's node, and WalletConnect's relay where it is offered. */
export function connectOrigins({ walletConnect }: Pick<Config, 'walletConnect'>, publicRpcUrl: string): string[] {
  const node = new URL(publicRpcUrl).origin
  if (!walletConnect) return [node]
  const { relayUrl } = walletConnect
  // The relay is also asked over HTTP, for requests that need no socket.
  return [node, relayUrl, relayUrl.replace(/^ws/, 'http')]
}

function assetResponse(config: Config, custody: Custody, asset: AssetId): ResponseOf<'config'>['assets'][number] {
  if (asset === 'RT') {
    const none = { min_in: '0', max_in: '0', min_out: '0', max_out: '0' }
    return { asset, name: NAMES[asset], decimals: 18, address: null, kind: 'ledger', ...none }
  }
  const limits = config.limits[asset]
  const token = custody.tokens.find((each) => each.asset === asset)
  return {
    asset,
    name: token ? config.chain.tokens[asset as 'USDT' | 'ETH'].name : NAMES[asset],
    decimals: token?.decimals ?? 18,
    address: token?.address ?? null,
    kind: token ? 'token' : 'native',
    min_in: limits.minIn,
    max_in: limits.maxIn,
    min_out: limits.minOut,
    max_out: maxOut(config, asset),
  }
}
