import { definePart } from './part.ts'
import { swapRoutes } from './swap.routes.ts'

export const swapPart = definePart({ routes: swapRoutes, entryKinds: ['swap', 'referral_share'] })
