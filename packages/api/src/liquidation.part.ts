import { liquidationRoutes } from './liquidation.routes.ts'
import { definePart } from './part.ts'

export const liquidationPart = definePart({ routes: liquidationRoutes, entryKinds: ['liquidation'] })
