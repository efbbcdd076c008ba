import { anyText, stored } from '@clearwell/ui/browser/stored.ts'
import type { AnyRouter } from '@tanstack/react-router'
import { isReloadBlocked } from '../browser/page-reload.ts'
import { ownBuildId } from '../browser/shell-worker.ts'

const POLL_MS = 60_000
/** The build that this tab has been reloaded for. */
const reloadedFor = stored<string>({
  key: 'clearwell.reloaded-for',
  scope: 'tab',
  format: 'text',
  schema: anyText,
})

/** A build as its files say. `builds/latest.json` names the newest, `builds/meta/<id>.json` describes one. */
interface Build {
  readonly id: string
  readonly builtAt: string
}

/**
 * Asks once a minute, and whenever the page is seen again, which build is the newest. Once there is a newer one, the next
 * navigation loads it: never in the middle of a screen, and never while something is being signed or paid.
 */
export function followBuilds(router: AnyRouter, page: BuildPage = browserPage): void {
  const own = page.ownId()
  if (own === undefined) return
  let newer: string | undefined
  const look = async () => {
    if (page.isSeen()) newer = await findNewer(page, own)
  }
  page.everyMs(POLL_MS, look)
  page.onSeen(look)
  router.subscribe('onBeforeLoad', ({ pathChanged }) => {
    if (newer === undefined || !pathChanged || isReloadBlocked() || !page.isOnline()) return
    // Once per build: where the server still hands out the old page, reloading again would not help.
    page.rememberReload(newer)
    // Otherwise the address of the new screen is written only after the reload.
    router.history.flush()
    page.reload()
  })
}

/** The parts of the browser that `followBuilds` needs. */
export interface BuildPage {
  ownId(): string | undefined
  fetchJson(path: string): Promise<unknown>
  isSeen(): boolean
  isOnline(): boolean
  everyMs(ms: number, run: () => void): void
  onSeen(run: () => void): void
  /** The build that this tab has been reloaded for. */
  reloadedFor(): string | undefined
  rememberReload(id: string): void
  reload(): void
}

const browserPage: BuildPage = {
  ownId: ownBuildId,
  fetchJson: async (path) => {
    const response = await fetch(path, { cache: 'no-cache' })
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return response.json()
  },
  isSeen: () => document.visibilityState === 'visible',
  isOnline: () => navigator.onLine,
  everyMs: (ms, run) => void setInterval(run, ms),
  onSeen: (run) => document.addEventListener('visibilitychange', run),
  reloadedFor: () => reloadedFor.get(),
  rememberReload: (id) => reloadedFor.set(id),
  reload: () => location.reload(),
}

/** The newest build, where it is another one and is described: it is named and described when all of it is installed. */
async function findNewer(page: BuildPage, own: string): Promise<string | undefined> {
  try {
    const { id } = (await page.fetchJson('/builds/latest.json')) as Build
    if (typeof id !== 'string' || id === own || id === page.reloadedFor()) return undefined
    const described = (await page.fetchJson(`/builds/meta/${encodeURIComponent(id)}.json`)) as Build
    return described.id === id ? id : undefined
  } catch {
    // Not available now: this build continues and asks again.
    return undefined
  }
}
