import type { RouteName } from '@clearwell/api/routes'
import type { PlatformConfig } from '../config/platform-config.ts'
import type { DepositPurpose } from './custody/credit-deposit.ts'
import type { Feature, FeatureParts, LocalControls, WithdrawalOrders } from './feature.ts'
import type { AnyHandler } from './http/bind-calls.ts'
import type { RouteGroup } from './http/open-api.ts'
import type { Platform } from './platform.ts'
import type { PriceSource } from './prices/prices.ts'
import type { ChannelSource } from './stream/channel.ts'

/**
 * The parts of all open features as one. It is empty until the features are open: the platform, which is built first, reads
 * it at each use.
 */
export interface Composition {
  readonly handlers: Partial<Record<RouteName, AnyHandler>>
  /** The calls of each feature. */
  readonly groups: RouteGroup[]
  /** By the `purpose` of a deposit order. */
  readonly depositPurposes: Record<string, DepositPurpose>
  readonly withdrawals: () => WithdrawalOrders
  readonly channels: ChannelSource[]
  readonly prices: PriceSource[]
  readonly local: LocalControls[]
  /** Opens the features one after another and merges their parts. */
  readonly open: <Config extends PlatformConfig>(
    features: readonly Feature<never, Config>[],
    platform: Platform<Config>,
  ) => Promise<void>
  /** Why the first feature that cannot serve now cannot. */
  readonly fault: () => string | undefined
  readonly start: () => Promise<void>
  /** In the opposite order of `start`. */
  readonly stop: () => Promise<void>
  readonly onLeader: () => Promise<void>
  readonly afterOperatorAction: () => Promise<void>
}

interface OpenFeature {
  readonly name: string
  readonly parts: FeatureParts
}

export function createComposition(): Composition {
  const open: OpenFeature[] = []
  const handlers: Composition['handlers'] = {}
  const groups: RouteGroup[] = []
  const depositPurposes: Composition['depositPurposes'] = {}
  const channels: ChannelSource[] = []
  const prices: PriceSource[] = []
  const local: LocalControls[] = []
  let withdrawals: WithdrawalOrders | undefined

  function add(name: string, parts: FeatureParts): void {
    addEach(name, handlers, parts.handlers)
    groups.push({ name, routes: Object.keys(parts.handlers) as RouteName[] })
    addEach(name, depositPurposes, parts.depositPurposes)
    for (const channel of parts.channels ?? []) addChannel(name, channels, channel)
    if (parts.prices) prices.push(parts.prices)
    if (parts.local) local.push(parts.local)
    if (parts.withdrawals && withdrawals) throw new Error(`the feature ${name} contributes withdrawals a second time`)
    withdrawals ??= parts.withdrawals
    open.push({ name, parts })
  }

  return {
    handlers,
    groups,
    depositPurposes,
    channels,
    prices,
    local,
    withdrawals() {
      if (!withdrawals) throw new Error('no open feature contributes withdrawals')
      return withdrawals
    },
    async open(features, platform) {
      for (const feature of features) {
        const parts = await feature.open(platform)
        checkHandlers(feature, parts)
        add(feature.name, parts)
        platform.jobs.add(parts.jobs ?? [])
      }
    },
    fault: () => faultOf(open),
    async start() {
      for (const { parts } of open) await parts.start?.()
    },
    async stop() {
      for (const { parts } of open.toReversed()) await parts.stop?.()
    },
    async onLeader() {
      for (const { parts } of open) await parts.onLeader?.()
    },
    async afterOperatorAction() {
      for (const { parts } of open) await parts.afterOperatorAction?.()
    },
  }
}

/** The types say the same, except where a handler object was built in a way that hides a key. */
function checkHandlers({ name, routes }: Pick<Feature, 'name' | 'routes'>, { handlers }: FeatureParts): void {
  const served = Object.keys(handlers).toSorted().join()
  const declared = Object.keys(routes).toSorted().join()
  if (served !== declared) throw new Error(`the feature ${name} declares the routes ${declared} and serves ${served}`)
}

/** Two features that contribute the same key are a bug. */
function addEach(name: string, target: object, added: object | undefined): void {
  for (const [key, value] of Object.entries(added ?? {})) {
    if (Object.hasOwn(target, key)) throw new Error(`the feature ${name} contributes ${key} a second time`)
    Object.assign(target, { [key]: value })
  }
}

function addChannel(name: string, channels: ChannelSource[], added: ChannelSource): void {
  if (channels.some((each) => each.name === added.name))
    throw new Error(`the feature ${name} contributes the channel ${added.name} a second time`)
  channels.push(added)
}

function faultOf(open: readonly OpenFeature[]): string | undefined {
  for (const { name, parts } of open) {
    const { ok, reason } = parts.health?.() ?? { ok: true }
    if (!ok) return `${name}: ${reason ?? 'not ready'}`
  }
  return undefined
}
