import type { RouteName } from '@clearwell/api/routes'
import type { PlatformConfig } from '../config/platform-config.ts'
import type { StoredAs } from './commands/command-outcome.ts'
import type { Audit } from './custody/reconcile.ts'
import type { Feature, FeatureParts, LocalControls } from './feature.ts'
import type { AnyHandler } from './http/bind-calls.ts'
import type { RouteGroup } from './http/open-api.ts'
import type { Platform } from './platform.ts'
import { createPorts, type Use } from './port.ts'
import type { ReadinessPart } from './readiness.ts'
import { storeFirstValues } from './rules/announce-rule.ts'
import type { AnyRule } from './rules/rule.ts'

/**
 * The parts of all open features as one. It is empty until the features are open: the platform, which is built first, reads
 * it at each use.
 */
export interface Composition {
  readonly handlers: Partial<Record<RouteName, AnyHandler>>
  /** The calls of each feature. */
  readonly groups: RouteGroup[]
  /** The stored forms of responses, by the kind of their ledger command. */
  readonly outcomes: Map<string, StoredAs<never>>
  readonly local: LocalControls[]
  readonly audits: Audit[]
  /** The services outside that features need. */
  readonly services: ReadinessPart[]
  /** Finds what the features provide to the platform. */
  readonly use: Use
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
  const outcomes: Composition['outcomes'] = new Map()
  const local: LocalControls[] = []
  const audits: Audit[] = []
  const services: ReadinessPart[] = []
  const rules: AnyRule[] = []
  let storeFirst = async () => {}
  const ports = createPorts()

  function add(name: string, parts: FeatureParts): void {
    addEach(name, handlers, parts.handlers)
    groups.push({ name, routes: Object.keys(parts.handlers) as RouteName[] })
    addOutcomes(name, outcomes, parts.outcomes)
    ports.provide(`the feature ${name}`, parts.provides ?? [])
    if (parts.local) local.push(parts.local)
    for (const service of parts.services ?? []) services.push({ ...service, isShared: true })
    open.push({ name, parts })
  }

  return {
    handlers,
    groups,
    outcomes,
    local,
    audits,
    services,
    use: ports.useBy('the platform'),
    async open(features, platform) {
      for (const feature of features) {
        const parts = await feature.open({ ...platform, use: ports.useBy(`the feature ${feature.name}`) })
        checkHandlers(feature, parts)
        add(feature.name, parts)
        audits.push(...(feature.audits ?? []))
        rules.push(...(feature.rules ?? []))
        platform.jobs.add(parts.jobs ?? [])
      }
      ports.refuseMissing()
      storeFirst = async () => {
        if (rules.length > 0) await platform.writer.execute(storeFirstValues(rules, platform.config))
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
      await storeFirst()
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

function addOutcomes(name: string, target: Map<string, StoredAs<never>>, added: object = {}): void {
  for (const storedAs of Object.values(added) as StoredAs<never>[]) {
    if (target.has(storedAs.kind))
      throw new Error(`the feature ${name} contributes the outcome of ${storedAs.kind} a second time`)
    target.set(storedAs.kind, storedAs)
  }
}

function faultOf(open: readonly OpenFeature[]): string | undefined {
  for (const { name, parts } of open) {
    const { ok, reason } = parts.health?.() ?? { ok: true }
    if (!ok) return `${name}: ${reason ?? 'not ready'}`
  }
  return undefined
}
