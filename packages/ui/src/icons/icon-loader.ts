import { _api, addAPIProvider, addCollection, getIcon, type IconifyJSON } from '@iconify/react'
import { showIcons } from './icon-bodies.ts'
import { cachedIcon, cacheIcons } from './icon-cache.ts'

/** The limits of the specification, §9. */
const APP_WAIT_MS = 1_500
const REQUEST_TIMEOUT_MS = 5_000
const MAX_URL_LENGTH = 500
const HOST_ROTATION_MS = 750

const PATH = '/icons/'
/** The set of a name without one. */
const SET = 'lucide'
/** Icons that are requested within one frame go out together. */
const FRAME_MS = 16
/** The page's own origin is the only host today. */
const OWN_ORIGIN = ''

/**
 * Requests an icon from the icon service, such as `coins` or, of the set of asset marks, `token:bnb`, and shows it when it arrives. Settles
 * then, or after 1.5 s; never rejects.
 */
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
      await Promise.all(intoRequests(names, hosts).map(({ set, names }) => request(set, names)))
      for (const name of names) loading.delete(name)
    })
    return { names, done }
  }

  // Not Iconify's `loadIcons`: it counts a comma as one character where the address has three, and calls an icon
  // missing for good once the service was away.
  function request(set: string, names: string[]): Promise<void> {
    return new Promise((resolve) => {
      // Called twice when the response comes after the timeout: once without it, once with it.
      _api.sendAPIQuery(provider, { type: 'icons', provider, prefix: set, icons: names }, (response) => {
        if (isIconSet(response)) take(set, names, response)
        resolve()
      })
    })
  }

  function take(set: string, names: readonly string[], response: IconifyJSON): void {
    addCollection(response, provider)
    const bodies: Record<string, string> = {}
    for (const nameInSet of names) {
      const name = set === SET ? nameInSet : `${set}:${nameInSet}`
      const body = getIcon(`@${provider}:${set}:${nameInSet}`)?.body
      if (body !== undefined && isDrawing(body)) bodies[name] = body
      else unknown.add(name)
    }
    cacheIcons(bodies)
    showIcons(bodies)
  }
}

/** The names cut into requests, each of one set and none with an address of more than 500 characters. */
function intoRequests(names: readonly string[], hosts: readonly string[]): { set: string; names: string[] }[] {
  const longestHost = Math.max(...hosts.map((host) => (host || globalThis.location?.origin || '').length))
  const lengthOf = (set: string, icons: string[]) =>
    longestHost + `${PATH}${set}.json?${new URLSearchParams({ icons: icons.join(',') })}`.length
  const requests: { set: string; names: string[] }[] = []
  for (const name of names) {
    const [set, nameInSet] = name.includes(':') ? (name.split(':') as [string, string]) : [SET, name]
    const last = requests.findLast((request) => request.set === set)
    if (last && lengthOf(set, [...last.names, nameInSet]) <= MAX_URL_LENGTH) last.names.push(nameInSet)
    else requests.push({ set, names: [nameInSet] })
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
