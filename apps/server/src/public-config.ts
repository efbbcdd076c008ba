import type { configRoutes, FeatureConfig, SharedPart } from '@clearwell/api/config.routes'
import type { ResponseOf } from '@clearwell/api/routes'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { operatorAccounts } from './config/operator-accounts.ts'
import { claimOpening } from './domain/boxes/box-opening.ts'
import { swapFees } from './domain/pools/swap-rules.ts'
import { revenueSplit } from './domain/revenue/revenue-rules.ts'
import { activationOpening, activationPrice } from './features/activation/activation-rules.ts'
import { TRANSFER_RULES } from './features/wallet/transfer-rules.ts'
import { maxOut } from './features/wallet/wallet.config.ts'
import { FEATURES } from './features.ts'
import type { Both, Config } from './load-config.ts'
import type { Custody } from './platform/chain/chain.ts'
import type { HandlersOf } from './platform/http/request-context.ts'
import type { Rules } from './platform/rules/ruled.ts'
import { CAP_RULES, lowerCaps } from './platform/signer/cap-rules.ts'
import type { Clock } from './platform/time/clock.ts'

const NAMES: Readonly<Record<AssetId, string>> = {
  BNB: 'BNB',
  USDT: 'Tether USD',
  ETH: 'Ethereum Token',
  RT: 'Rich Together',
}

const native = (name: string, symbol: string) => ({ name, symbol, decimals: 18 })
/** Null of a chain that this operator does not use. */
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
  rules: Rules<Config>
  /** Changes and upgrades that are announced for later. */
  announced: () => Promise<Pick<ResponseOf<'config'>, 'announced' | 'upgrades'>>
  /** The shared parts that do not work now. */
  degraded: () => SharedPart[]
}): HandlersOf<typeof configRoutes> {
  const { config, custody, rpcUrl, build, clock, features, hasDemo, degraded, announced } = deps
  const chain: ResponseOf<'config'>['chain'] = {
    id: config.chain.id,
    name: config.chain.name,
    rpc_url: rpcUrl,
    explorer_url: config.chain.explorerUrl,
    confirmations: config.chain.confirmations,
    native: config.chain.native,
  }
  const response: Omit<
    ResponseOf<'config'>,
    'time' | 'demo' | 'degraded' | 'announced' | 'upgrades' | keyof ChangingFields
  > = {
    product: config.product,
    contact: config.contact,
    operator: {
      name: config.operator.name,
      place: config.operator.place,
      audits: config.operator.audits,
      terms_url: config.operator.terms?.url ?? null,
      help_url: config.operator.helpUrl,
    },
    terms: config.operator.terms,
    help: config.operator.helpUrl,
    operator_accounts: operatorAccounts(config),
    profile: config.env.profile,
    chain,
    chains: [chain, ...KNOWN_CHAINS.filter(({ id }) => id !== chain.id)],
    wallet_connect: config.walletConnect && {
      project_id: config.walletConnect.projectId,
      relay_url: config.walletConnect.relayUrl,
    },
    check_rpc_url: config.env.publicRpcUrlCheck ?? null,
    vault: custody.vault,
    ...publishedByFeatures(config),
    features: [...features],
    simulated_market: config.market.source === 'simulated',
    build,
  }
  return {
    config: async () => ({
      ...response,
      ...(await changingFields(deps)),
      ...(await announced()),
      demo: hasDemo(),
      degraded: degraded(),
      time: clock.now().toISOString(),
    }),
  }
}

type ChangingFields = Pick<ResponseOf<'config'>, 'assets' | 'fees' | 'opening'>

/** The fields that follow the rules in force. */
async function changingFields({
  config,
  custody,
  rules,
}: {
  readonly config: Config
  readonly custody: Custody
  readonly rules: Rules<Config>
}): Promise<ChangingFields> {
  const fraction = (bps: number) => formatUnits(BigInt(bps), 4)
  const [fees, split, amount, activation, claim] = await Promise.all([
    rules.of(swapFees).now(),
    rules.of(revenueSplit).now(),
    rules.of(activationPrice).now(),
    rules.of(activationOpening).now(),
    rules.of(claimOpening).now(),
  ])
  return {
    assets: await Promise.all(ASSET_IDS.map((asset) => assetResponse({ config, custody, rules }, asset))),
    fees: {
      swap_total: fraction(fees.feeBps),
      swap_revenue: fraction(fees.revenueBps),
      revenue_split: {
        rewards: fraction(split.rewards),
        referral: fraction(split.referral),
        insurance: fraction(split.insurance),
        treasury: fraction(split.treasury),
      },
      activation: { asset: config.activation.asset, amount },
    },
    opening: { activation, claim },
  }
}

/** The fields that features publish. Does not compile while the API declares one that no feature fills. */
function publishedByFeatures(config: Config): FeatureConfig {
  const parts = FEATURES.map(({ publishes }) => publishes?.(config))
  return Object.assign({}, ...parts) as Both<PublishedOf<(typeof FEATURES)[number]>>
}

type PublishedOf<Each> = Each extends { readonly publishes?: (config: never) => infer Published } ? Published : never

/** The origins that a page may talk to beside its own: the chain's nodes, and WalletConnect's relay where it is offered. */
export function connectOrigins(
  { walletConnect, env }: Pick<Config, 'walletConnect'> & { readonly env: Pick<Config['env'], 'publicRpcUrlCheck'> },
  publicRpcUrl: string,
): string[] {
  const nodes = [publicRpcUrl, env.publicRpcUrlCheck].filter((url) => url !== undefined)
  const origins = [...new Set(nodes.map((url) => new URL(url).origin))]
  if (!walletConnect) return origins
  const { relayUrl } = walletConnect
  // The relay is also asked over HTTP, for requests that need no socket.
  return [...origins, relayUrl, relayUrl.replace(/^ws/, 'http')]
}

async function assetResponse(
  { config, custody, rules }: { readonly config: Config; readonly custody: Custody; readonly rules: Rules<Config> },
  asset: AssetId,
): Promise<ChangingFields['assets'][number]> {
  const token = custody.tokens.find((each) => each.asset === asset)
  // A chain may lack a token: its asset must not pass for the native coin.
  if (asset === 'RT' || (asset !== 'BNB' && !token)) {
    const none = { min_in: '0', max_in: '0', min_out: '0', max_out: '0' }
    return { asset, name: NAMES[asset], decimals: 18, address: null, kind: 'ledger', ...none }
  }
  const [limits, caps] = await Promise.all([rules.of(TRANSFER_RULES[asset]).now(), rules.of(CAP_RULES[asset]).now()])
  return {
    asset,
    name: token ? config.chain.tokens[asset as 'USDT' | 'ETH'].name : NAMES[asset],
    decimals: token?.decimals ?? 18,
    address: token?.address ?? null,
    kind: token ? 'token' : 'native',
    min_in: limits.minIn,
    max_in: limits.maxIn,
    min_out: limits.minOut,
    max_out: maxOut(limits.maxOut, lowerCaps(config.withdrawals.caps[asset], caps)),
  }
}
