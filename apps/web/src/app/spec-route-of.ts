import { ROUTES_OF_SPEC, type SpecRoute } from './routes-of-spec.ts'

/** The screen of specification §2 that a route of the tree shows; `undefined` for a layout or what is not a screen. */
export function specRouteOf(routeId: string): SpecRoute | undefined {
  const path = routeId
    .replace(/^\/\{-\$locale\}/, '')
    .replace(/\$(\w+)/g, '{$1}')
    .replace(/(?<=.)\/$/, '')
  return ROUTES_OF_SPEC.find((route) => route === path)
}
