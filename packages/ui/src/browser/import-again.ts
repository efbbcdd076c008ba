/** Retries so far: the address of each has to be new. */
let retries = 0

/**
 * Imports a failed chunk by another address of the same file: a browser may keep the failure of an address for as long as the page
 * lives. Chromium and Firefox name the address in the error.
 *
 * @returns `undefined` where the error names no address of this site.
 */
export function importAgain<Module>(error: unknown): (() => Promise<Module>) | undefined {
  const address = URL.parse(/https?:\/\/\S+/.exec(String(error))?.[0] ?? '')
  if (address === null || address.origin !== location.origin) return undefined
  retries += 1
  address.search = `again=${retries}`
  return () => import(/* @vite-ignore */ address.href)
}
