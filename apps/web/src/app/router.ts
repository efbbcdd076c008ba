import { createHashHistory, createRouter, type RouterHistory } from '@tanstack/react-router'
import { routeTree } from '../generated/route-tree.ts'

/** The way through the screens; by hash in the browser (specification §2). */
export function createAppRouter(history: RouterHistory = createHashHistory()) {
  return createRouter({
    routeTree,
    history,
    // The prerendered home begins at its top; the script that the router would add to it is refused by our policy.
    scrollRestoration: !import.meta.env.SSR,
    defaultPreload: 'intent',
    // No address with a protocol is gone to: not `javascript:`, and no other site either. What leads out is an
    // `ExternalLink`, which says so.
    protocolAllowlist: [],
  })
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
