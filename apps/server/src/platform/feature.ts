import type { FeatureConfig, SharedPart } from '@clearwell/api/config.routes'
import type { NoticeKind } from '@clearwell/api/notice-kinds'
import type { EntryKind } from '@clearwell/api/parts'
import type { LookedUpCommand, RouteName, routes } from '@clearwell/api/routes'
import type { Table } from '@clearwell/ledger/table'
import type { ConfigPart, ConfigShape, ValuesOf } from '../config/config-part.ts'
import type { PlatformConfig } from '../config/platform-config.ts'
import type { OutcomesOf } from './commands/command-outcome.ts'
import type { Audit } from './custody/reconcile.ts'
import type { Handler, PreparedHandler } from './http/request-context.ts'
import type { Drain } from './jobs/drain.ts'
import type { AnyJob } from './jobs/job.ts'
import type { EventTable } from './log/define-events.ts'
import type { MetricTable } from './metrics/define-metrics.ts'
import type { AnyOperatorAction } from './operator/operator-action.ts'
import type { TimelineSource } from './operator/timeline-source.ts'
import type { Platform } from './platform.ts'
import type { Provision } from './port.ts'
import type { KeptRows } from './retention/retention-jobs.ts'
import type { AnyRule } from './rules/rule.ts'

/** A part of `packages/api`'s table of routes. */
export type RoutePart = { readonly [Name in RouteName]?: (typeof routes)[Name] }

/**
 * A feature of the product, or the local controls: one folder with one manifest.
 *
 * @typeParam Names its routes.
 * @typeParam Config the configuration that it reads.
 */
export interface Feature<Names extends RouteName = never, Config extends PlatformConfig = PlatformConfig> {
  /** The same name as on the web, and in `features` of `GET /config`. */
  readonly name: string
  readonly routes: RoutePart
  /** Kinds of ledger entry that this feature writes and users see in their logs. */
  readonly logKinds?: readonly EntryKind[]
  /** Kinds of notice that this feature sends. */
  readonly notices?: readonly NoticeKind[]
  /** Its metrics, which `open` adds to `platform.metrics`. */
  readonly metrics?: MetricTable
  /** Its events in the log, which it writes by `platform.log.events`. */
  readonly events?: EventTable
  /** Changes that the operator's command line can make. */
  readonly operatorActions?: readonly AnyOperatorAction[]
  /** Its rules that can change while servers run. */
  readonly rules?: readonly AnyRule[]
  /** Its tables and those of its domain, each with its retention. */
  readonly tables?: readonly Table<unknown>[]
  /** Rows of the platform's tables that this feature still needs. */
  readonly keeps?: readonly KeptRows[]
  /** Events of an account in its tables, beside entries of the ledger, for `operator user`. */
  readonly timeline?: readonly TimelineSource[]
  /** Compare its tables with the ledger, as a part of `operator reconcile`. */
  readonly audits?: readonly Audit[]
  readonly open: (platform: Platform<Config>) => FeatureParts<Names> | Promise<FeatureParts<Names>>
}

/** The parts that an open feature contributes. The platform merges those of all features in the order of the list. */
export type FeatureParts<Names extends RouteName = never> = CommonParts<Names> &
  ([Names & LookedUpCommand] extends [never]
    ? { readonly outcomes?: OutcomesOf<never> }
    : {
        /** How the ledger stores the response of each command, for `POST /Command/outcome`. */
        readonly outcomes: OutcomesOf<Names>
      })

interface CommonParts<Names extends RouteName> {
  /** One handler per route of the feature; a missing one does not compile. */
  readonly handlers: FeatureHandlers<Names>
  /** Services for other features and for the platform, such as a source of prices or a channel of the stream. */
  readonly provides?: readonly Provision[]
  /** Due work, run by the leader. */
  readonly jobs?: readonly (AnyJob | Drain)[]
  readonly local?: LocalControls
  /** Why the feature cannot serve now. Absent: it always can. */
  readonly health?: () => { readonly ok: boolean; readonly reason?: string }
  /** Services outside that the feature needs, such as push services: the server is degraded while one does not work. */
  readonly services?: readonly SharedService[]
  /** Begins periodic work. Runs once the server listens. */
  readonly start?: () => void | Promise<void>
  /** Ends periodic work and waits for it. */
  readonly stop?: () => void | Promise<void>
  /** Continues what an action of the operator began. Runs on the leader after each. */
  readonly afterOperatorAction?: () => Promise<void>
  /** Resumes what an earlier leader left unfinished. Runs whenever this server becomes the leader, also at its start. */
  readonly onLeader?: () => Promise<void>
}

/** A call that many poll may return bytes that are made once per change. */
export type FeatureHandlers<Names extends RouteName> = {
  readonly [Name in Names]: Handler<Name> | PreparedHandler<Name>
}

/** A part of `/readyz` that all servers share. The app shows those of the API. */
interface SharedService {
  readonly name: SharedPart | 'bookkeeper'
  readonly isOk: () => boolean
}

/** Simulated people of the local profile: a feature that lives outside the server, with what it needs from the start. */
export interface People {
  readonly feature: Feature
  /** Accounts that act for the operator. `GET /config` publishes them. */
  readonly operatorAccounts: PlatformConfig['operatorAccounts']
  /** A new ledger's clock starts this long before now, in milliseconds, so that a past can be filled in. */
  readonly startsBackMs?: number | undefined
}

/** A feature's work for the controls of the local profile. */
export interface LocalControls {
  /** Runs what is due now, after the clock moved or a price was set. */
  readonly runDue?: () => Promise<void>
  /** The moments at which an advance of the clock stops and runs what is due, beside its end. */
  readonly stopsBetween?: (from: Date, to: Date) => Promise<readonly Date[]>
  /** True if the ledger's users and their history are simulated. */
  readonly hasDemo?: () => boolean
  /** Fills a new ledger with simulated activity, before the server listens. Later starts change nothing. */
  readonly fillDemo?: (onProgress: (stage: string) => void) => Promise<void>
}

/**
 * Declares a feature. The types bind the handlers to the routes: one handler for each, and no other.
 *
 * @example
 * export const tipsFeature = defineFeature({
 *   name: 'tips',
 *   about: { en: 'Tips to other users', 'zh-HK': '打賞其他用戶' },
 *   routes: tipsRoutes,
 *   open: ({ db, clock }) => ({ handlers: tipsHandlers({ store: createTipsStore(db), clock }) }),
 * })
 */
export function defineFeature<
  const Routes extends RoutePart,
  Shape extends ConfigShape = NoKeys,
  Published extends Partial<FeatureConfig> = NoKeys,
>(feature: Manifest<Routes, Shape, Published>): Manifest<Routes, Shape, Published> {
  return feature
}

type NoKeys = Readonly<Record<never, never>>

interface Manifest<Routes extends RoutePart, Shape extends ConfigShape, Published extends Partial<FeatureConfig>>
  extends Feature<keyof Routes & RouteName, PlatformConfig & ValuesOf<Shape>> {
  /** The feature in a few words, for the list of features in the READMEs. */
  readonly about: { readonly en: string; readonly 'zh-HK': string }
  readonly routes: Routes
  /** Its keys of the configuration file. No other feature sees them. */
  readonly config?: ConfigPart<Shape>
  /** Fills its fields of `GET /config`, which its part of the API declares. */
  readonly publishes?: (config: PlatformConfig & ValuesOf<Shape>) => Published
}
