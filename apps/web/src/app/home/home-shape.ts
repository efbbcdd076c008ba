import { useStore } from '@clearwell/ui/browser/store.ts'
import { stored } from '@clearwell/ui/browser/stored.ts'
import { useEffect } from 'react'
import { useAccount } from '../../account/use-account.ts'

/** The cards that home has between the actions and the markets for some accounts only. */
export interface HomeShape {
  /** A loan can cost money now. */
  readonly hasDanger: boolean
  /** How many steps to the first swap are shown: none once all are done. The local profile has one more. */
  readonly steps: number
}

const PLAIN: HomeShape = { hasDanger: false, steps: 0 }
/** Outside the local profile. */
const STEPS = 4

/** The cards that home had last for an account, so that their place is kept while they load. */
export const homeShapes = stored<HomeShape>({
  key: 'clearwell.home',
  scope: 'device',
  owner: true,
  schema: shapeOf,
})

function shapeOf(value: unknown): HomeShape | undefined {
  const { hasDanger, steps } = (value ?? {}) as Partial<Record<keyof HomeShape, unknown>>
  return typeof hasDanger === 'boolean' && typeof steps === 'number' ? { hasDanger, steps } : undefined
}

/** The shape that home will have, as far as this device knows. An account that is not activated has steps left and no loan. */
export function useHomeShape(): HomeShape {
  const { user } = useAccount()
  const last = useStore(homeShapes.of(user?.address ?? ''))
  if (user?.activated === false) return { hasDanger: false, steps: last?.steps || STEPS }
  return last ?? PLAIN
}

/** Keeps a part of the shape once it is known; `undefined` until then. */
export function useKeptShape<Part extends keyof HomeShape>(part: Part, value: HomeShape[Part] | undefined): void {
  const address = useAccount().user?.address ?? ''
  useEffect(() => {
    if (value === undefined || address === '') return
    const kept = homeShapes.of(address)
    const last = kept.get() ?? PLAIN
    if (last[part] !== value) kept.set({ ...last, [part]: value })
  }, [address, part, value])
}
