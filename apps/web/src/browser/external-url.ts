/**
 * An address that may be followed out of the app: of the web, and whole. `undefined` for everything else: `javascript:`
 * and its like run code or show what somebody made up under our name (specification §8).
 */
export function externalUrl(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined
  const url = new URL(href)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined
}
