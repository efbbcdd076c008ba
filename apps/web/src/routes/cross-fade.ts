import { pathInLocale } from '@clearwell/ui/i18n/locale-path.ts'
import { notifyManager } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { TAB_PATHS } from '../app/navigation.ts'

/**
 * Fades from one tab to another where the browser has View Transitions. The router would start them too, but leaves it open that the
 * next tap ends one early, which the browser reports as an error of the page.
 *
 * Figures that come meanwhile are shown when the fade has ended: the page would render them between its frames.
 */
export function crossFadeTabs(router: AnyRouter): void {
  /** The figures that came during a fade; `undefined` while there is none. */
  let waiting: (() => void)[] | undefined
  const hold = () => {
    waiting ??= []
  }
  const release = () => {
    for (const notify of waiting ?? []) setTimeout(notify)
    waiting = undefined
  }
  notifyManager.setScheduler((notify) => void (waiting ? waiting.push(notify) : setTimeout(notify)))
  router.startViewTransition = async (update) => {
    if (!isBetweenTabs(router) || !('startViewTransition' in document) || isStill()) return update()
    const { ready, finished, updateCallbackDone } = document.startViewTransition(update)
    ready.then(hold, () => {})
    finished.then(release, release)
    return updateCallbackDone
  }
}

function isBetweenTabs({ latestLocation, stores }: AnyRouter): boolean {
  const before = stores.resolvedLocation.get()
  return before !== undefined && [before, latestLocation].every(isTab) && before.pathname !== latestLocation.pathname
}

function isTab({ pathname }: { pathname: string }): boolean {
  return TAB_PATHS.includes(pathInLocale(pathname, 'zh-HK'))
}

function isStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
