import { createHashHistory, createRouter, type RouterHistory } from '@tanstack/react-router'
import { routeTree } from '../generated/route-tree.ts'
import { inItsLanguage } from './in-its-language.ts'

/** The way through the screens; by hash in the browser (specification §2). */
export function createAppRouter(history: RouterHistory = createHashHistory()) {
  const router = createRouter({
    routeTree,
    history,
    // The prerendered home begins at its top; the script that the router would add to it is refused by our policy.
    scrollRestoration: !import.meta.env.SSR,
    defaultPreload: 'intent',
    // No address with a protocol is gone to: not `javascript:`, and no other site either. What leads out is an
    // `ExternalLink`, which says so.
    protocolAllowlist: [],
  })
  for (const { options } of Object.values(router.routesById))
    if (options.component) options.component = inItsLanguage(options.component)
  return router
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
