import { pathInLocale } from '@clearwell/ui/i18n/locale-path.ts'
import type { AnyRouter } from '@tanstack/react-router'
import { TAB_PATHS } from '../app/navigation.ts'

/**
 * Fades from one tab to another where the browser has View Transitions. The router would start them too, but leaves it open that the
 * next tap ends one early, which the browser reports as an error of the page.
 */
export function crossFadeTabs(router: AnyRouter): void {
  router.startViewTransition = async (update) => {
    if (!isBetweenTabs(router) || !('startViewTransition' in document) || isStill()) return update()
    const transition = document.startViewTransition(update)
    for (const moment of [transition.ready, transition.finished]) moment.catch(() => {})
    return transition.updateCallbackDone
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
