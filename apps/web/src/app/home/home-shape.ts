import { useStore } from '@clearwell/ui/browser/store.ts'
import { stored } from '@clearwell/ui/browser/stored.ts'
import { useEffect } from 'react'
import { useAccount } from '../../account/use-account.ts'

/** The cards that home has between the actions and the markets for some accounts only. */
export interface HomeShape {
  /** A loan can cost money now. */
  readonly hasDanger: boolean
  /** Steps to the first swap are left. */
  readonly hasSteps: boolean
}

const PLAIN: HomeShape = { hasDanger: false, hasSteps: false }

/** The cards that home had last for an account, so that their place is kept while they load. */
export const homeShapes = stored<HomeShape>({
  key: 'clearwell.home',
  scope: 'device',
  owner: true,
  schema: shapeOf,
})

function shapeOf(value: unknown): HomeShape | undefined {
  const { hasDanger, hasSteps } = (value ?? {}) as Partial<Record<keyof HomeShape, unknown>>
  return typeof hasDanger === 'boolean' && typeof hasSteps === 'boolean' ? { hasDanger, hasSteps } : undefined
}

/** The shape that home will have, as far as this device knows. An account that is not activated has steps left and no loan. */
export function useHomeShape(): HomeShape {
  const { user } = useAccount()
  const last = useStore(homeShapes.of(user?.address ?? ''))
  if (user?.activated === false) return { hasDanger: false, hasSteps: true }
  return last ?? PLAIN
}

/** Keeps a part of the shape once it is known; `undefined` until then. */
export function useKeptShape(part: keyof HomeShape, isThere: boolean | undefined): void {
  const address = useAccount().user?.address ?? ''
  useEffect(() => {
    if (isThere === undefined || address === '') return
    const kept = homeShapes.of(address)
    const last = kept.get() ?? PLAIN
    if (last[part] !== isThere) kept.set({ ...last, [part]: isThere })
  }, [address, part, isThere])
}
