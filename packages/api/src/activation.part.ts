import { activationRoutes } from './activation.routes.ts'
import { definePart } from './part.ts'

export const activationPart = definePart({ routes: activationRoutes, entryKinds: ['activation'] })
