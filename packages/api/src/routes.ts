import type * as z from 'zod/mini'
import { commandRoutes } from './command.routes.ts'
import { configRoutes } from './config.routes.ts'
import { historyRoutes } from './history.routes.ts'
import { localRoutes, peopleRoutes } from './local.routes.ts'
import { noticeRoutes } from './notice.routes.ts'
import { mergeParts } from './parts.ts'
import { personalDataRoutes } from './personal-data.routes.ts'
import type { Route } from './route.ts'
import { ruleRoutes } from './rule.routes.ts'

/**
 * The table of all calls: those of each feature, and those that show something of all features. The server must implement each
 * (a missing handler does not compile). The web client and the API page derive from it.
 */
export const routes = {
  ...mergeParts('routes'),
  ...configRoutes,
  ...commandRoutes,
  ...ruleRoutes,
  ...historyRoutes,
  ...noticeRoutes,
  ...personalDataRoutes,
  ...localRoutes,
  ...peopleRoutes,
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
/** Input of a caller, before parsing. */
export type PayloadInput<Name extends RouteName> = z.input<(typeof routes)[Name]['payload']>
/** Input of a handler, after parsing. */
export type Payload<Name extends RouteName> = z.output<(typeof routes)[Name]['payload']>
/** Commands whose outcome can be looked up by their idempotency key. */
export type LookedUpCommand = {
  [Name in RouteName]: (typeof routes)[Name] extends { readonly idempotent: true }
    ? (typeof routes)[Name] extends { readonly isHarmless: true }
      ? never
      : Name
    : never
}[RouteName]
export type ResponseOf<Name extends RouteName> = z.output<(typeof routes)[Name]['response']>
