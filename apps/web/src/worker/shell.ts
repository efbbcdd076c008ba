import { setCacheNameDetails } from 'workbox-core'
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { NetworkFirst, NetworkOnly } from 'workbox-strategies'
import { isTakeOver } from './take-over.ts'

/** The build that this worker belongs to, and its files. The build writes it in front of this script. */
declare const SHELL: {
  readonly build: string
  readonly files: { readonly url: string; readonly revision: string | null }[]
}
declare const self: ServiceWorker
/** A part of the worker's scope, which TypeScript's library of pages lacks. */
interface ServiceWorker extends EventTarget {
  readonly clients: { matchAll(options: object): Promise<readonly unknown[]> }
  skipWaiting(): Promise<void>
}

/** A page that has not come by then opens from this device. */
const NETWORK_TIMEOUT_S = 5
/** These are no pages of the app: a failed download must not turn into the app. */
const OTHER_PATHS = /^\/(api|icons|builds|gallery|assets)\//

setCacheNameDetails({ prefix: 'clearwell', suffix: 'shell' })

// The network first: a newer build, and a newer policy of the server, apply with the next load. The kept page is shown where the
// network or the server fails.
const page = new NetworkOnly({
  networkTimeoutSeconds: NETWORK_TIMEOUT_S,
  plugins: [
    {
      fetchDidSucceed: async ({ response }) => {
        if (response.status >= 500) throw new Error(`the server responds with ${response.status}`)
        return response
      },
      handlerDidError: ({ request }) => matchPrecache(/^\/en(\/|$)/.test(new URL(request.url).pathname) ? '/en' : '/'),
    },
  ],
})
registerRoute(new NavigationRoute(page, { denylist: [OTHER_PATHS] }))
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/icons/'),
  new NetworkFirst({ cacheName: 'clearwell-icons' }),
)
// Nothing else is kept: neither calls, nor the files that name the newest build, nor the texts of the screens.
precacheAndRoute(SHELL.files, { cleanURLs: false, directoryIndex: '', ignoreURLParametersMatching: [] })
cleanupOutdatedCaches()

// A new worker waits while pages of the build before are open: it would delete code that they have not loaded yet.
self.addEventListener('message', (event) => {
  const { data, waitUntil } = event as MessageEvent & { waitUntil: (work: Promise<unknown>) => void }
  if (isTakeOver(data, SHELL.build)) waitUntil.call(event, takeOverIfAlone())
})

async function takeOverIfAlone(): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (pages.length <= 1) await self.skipWaiting()
}
