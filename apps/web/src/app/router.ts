import { createHashHistory, createRouter } from '@tanstack/react-router'
import { routeTree } from '../generated/route-tree.ts'
import { keepChosenLocaleOnBack } from './use-locale-switch.ts'

export function createAppRouter() {
  const history = createHashHistory()
  keepChosenLocaleOnBack(history)
  return createRouter({ routeTree, history, scrollRestoration: true, defaultPreload: 'intent' })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
