import type * as z from 'zod/mini'
import { activationRoutes } from './activation.routes.ts'
import { alertRoutes } from './alert.routes.ts'
import { blindBoxRoutes } from './blind-box.routes.ts'
import { commandRoutes } from './command.routes.ts'
import { configRoutes } from './config.routes.ts'
import { historyRoutes } from './history.routes.ts'
import { liquidationRoutes } from './liquidation.routes.ts'
import { localRoutes, peopleRoutes } from './local.routes.ts'
import { marketRoutes } from './market.routes.ts'
import { nodeRoutes } from './node.routes.ts'
import { noticeRoutes } from './notice.routes.ts'
import { planRoutes } from './plan.routes.ts'
import { proofRoutes } from './proof.routes.ts'
import { rankRoutes } from './rank.routes.ts'
import { richRoutes } from './rich.routes.ts'
import type { Route } from './route.ts'
import { sessionRoutes } from './session.routes.ts'
import { stakeRoutes } from './stake.routes.ts'
import { swapRoutes } from './swap.routes.ts'
import { teamRoutes } from './team.routes.ts'
import { walletRoutes } from './wallet.routes.ts'

/**
 * The table of all calls. The server must implement each (a missing handler does not compile). The web client and the API
 * page derive from it.
 */
export const routes = {
  ...sessionRoutes,
  ...configRoutes,
  ...commandRoutes,
  ...activationRoutes,
  ...swapRoutes,
  ...planRoutes,
  ...stakeRoutes,
  ...liquidationRoutes,
  ...marketRoutes,
  ...walletRoutes,
  ...historyRoutes,
  ...richRoutes,
  ...teamRoutes,
  ...rankRoutes,
  ...blindBoxRoutes,
  ...nodeRoutes,
  ...alertRoutes,
  ...proofRoutes,
  ...noticeRoutes,
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
