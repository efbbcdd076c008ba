import { takeOver } from '../worker/take-over.ts'

/** The one worker of the app: it opens the app without the network and shows pushed notices. The build makes it of src/worker. */
const WORKER = '/worker.js'

/**
 * Registers the worker. Where it is of the build of this page and this page is the only one, it takes over from the worker of the
 * build before.
 *
 * @throws Error where the browser allows no worker, or its script cannot be loaded.
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(WORKER)
  offerTakeOver(registration)
  registration.addEventListener('updatefound', () => {
    const { installing } = registration
    installing?.addEventListener('statechange', () => offerTakeOver(registration))
  })
  return registration
}

/** The id of the build that this page is of; `undefined` in development. */
export function ownBuildId(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content || undefined
}

function offerTakeOver({ waiting }: ServiceWorkerRegistration): void {
  const build = waiting && ownBuildId()
  if (build) waiting.postMessage(takeOver(build))
}
