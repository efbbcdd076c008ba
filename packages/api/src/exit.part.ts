import { exitRoutes } from './exit.routes.ts'
import { definePart } from './part.ts'

export const exitPart = definePart({
  routes: exitRoutes,
  /** The vault has paid the account, which leaves. */
  entryKinds: ['exit'],
})
