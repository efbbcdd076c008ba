import { _api, addAPIProvider, addCollection, getIcon, type IconifyJSON } from '@iconify/react'
import { showIcons } from './icon-bodies.ts'
import { cachedIcon, cacheIcons } from './icon-cache.ts'

/** The limits of the specification, §9. */
const APP_WAIT_MS = 1_500
const REQUEST_TIMEOUT_MS = 5_000
const MAX_URL_LENGTH = 500
const HOST_ROTATION_MS = 750

const PATH = '/icons/'
const SET = 'lucide'
/** Icons that are requested within one frame go out together. */
const FRAME_MS = 16
/** The page's own origin is the only host today. */
const OWN_ORIGIN = ''

/** Requests an icon from the icon service and shows it when it arrives. Settles then, or after 1.5 s; never rejects. */
export const loadIcon = createIconLoader('clearwell', [OWN_ORIGIN])

/** @param provider the name under which Iconify keeps hosts and icons. @param hosts tried in turn, 0.75 s apart. */
export function createIconLoader(provider: string, hosts: readonly string[]): (name: string) => Promise<void> {
  _api.setFetch((url, init) => fetch(url, init))
  addAPIProvider(provider, {
    resources: [...hosts],
    path: PATH,
    maxURL: MAX_URL_LENGTH,
    rotate: HOST_ROTATION_MS,
    timeout: REQUEST_TIMEOUT_MS,
  })
  const loading = new Map<string, Promise<unknown>>()
  /** Names that the service does not have: not requested again. */
  const unknown = new Set<string>()
  let batch: { names: string[]; done: Promise<unknown> } | undefined

  return async (name) => {
    if (unknown.has(name)) return
    const cached = cachedIcon(name)
    if (cached !== undefined && isDrawing(cached)) {
      showIcons({ [name]: cached })
      return
    }
    let done = loading.get(name)
    if (!done) {
      batch ??= startBatch()
      batch.names.push(name)
      done = batch.done
      loading.set(name, done)
    }
    await Promise.race([done, wait(APP_WAIT_MS)])
  }

  function startBatch() {
    const names: string[] = []
    const done = wait(FRAME_MS).then(async () => {
      batch = undefined
      await Promise.all(intoRequests(names, hosts).map(request))
      for (const name of names) loading.delete(name)
    })
    return { names, done }
  }

  // Not Iconify's `loadIcons`: it counts a comma as one character where the address has three, and calls an icon
  // missing for good once the service was away.
  function request(names: string[]): Promise<void> {
    return new Promise((resolve) => {
      // Called twice when the response comes after the timeout: once without it, once with it.
      _api.sendAPIQuery(provider, { type: 'icons', provider, prefix: SET, icons: names }, (response) => {
        if (isIconSet(response)) take(names, response)
        resolve()
      })
    })
  }

  function take(names: readonly string[], response: IconifyJSON): void {
    addCollection(response, provider)
    const bodies: Record<string, string> = {}
    for (const name of names) {
      const body = getIcon(`@${provider}:${SET}:${name}`)?.body
      if (body !== undefined && isDrawing(body)) bodies[name] = body
      else unknown.add(name)
    }
    cacheIcons(bodies)
    showIcons(bodies)
  }
}

/** The names cut into requests, none with an address of more than 500 characters. */
function intoRequests(names: readonly string[], hosts: readonly string[]): string[][] {
  const longestHost = Math.max(...hosts.map((host) => (host || globalThis.location?.origin || '').length))
  const lengthOf = (icons: string[]) =>
    longestHost + `${PATH}${SET}.json?${new URLSearchParams({ icons: icons.join(',') })}`.length
  const requests: string[][] = []
  for (const name of names) {
    const last = requests.at(-1)
    if (last && lengthOf([...last, name]) <= MAX_URL_LENGTH) last.push(name)
    else requests.push([name])
  }
  return requests
}

const SHAPES =
  /^(?:<\/?(?:g|path|circle|ellipse|rect|line|polyline|polygon)(?:\s(?!on)[a-z][a-z-]*="[^"<>]*")*\s*\/?>\s*)+$/

/** Returns whether an icon consists of shapes only, because the network and the storage are not trusted. */
function isDrawing(body: unknown): boolean {
  return typeof body === 'string' && SHAPES.test(body)
}

function isIconSet(response: unknown): response is IconifyJSON {
  return typeof response === 'object' && response !== null && 'icons' in response && typeof response.icons === 'object'
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
