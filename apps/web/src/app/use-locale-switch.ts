import { clearToasts } from '@clearwell/ui/components/toast-store.ts'
import type { Locale } from '@clearwell/ui/i18n/locale.ts'
import { localeOfPath, pathInLocale } from '@clearwell/ui/i18n/locale-path.ts'
import { saveLocaleChoice } from '@clearwell/ui/i18n/preferred-locale.ts'
import { type RouterHistory, useRouter } from '@tanstack/react-router'

let chosen: Locale | undefined

/** Chooses a language: stores the choice and shows the same screen in it immediately. */
export function useLocaleSwitch(): (locale: Locale) => void {
  const router = useRouter()
  return (locale) => {
    chosen = locale
    saveLocaleChoice(locale)
    clearToasts()
    const { pathname, searchStr } = router.state.location
    router.history.replace(pathInLocale(pathname, locale) + searchStr)
  }
}

/**
 * Going back to a screen from before the choice shows it in the chosen language. A typed path has no entry of the router,
 * stays as typed and is a choice too.
 */
export function keepChosenLocaleOnBack(history: RouterHistory): void {
  history.subscribe(({ location, action }) => {
    const back = action.type === 'BACK' || action.type === 'FORWARD' || action.type === 'GO'
    const seenBefore = window.history.state?.__TSR_index !== undefined
    if (back && !seenBefore) chosen = localeOfPath(location.pathname)
    if (!back || chosen === undefined || localeOfPath(location.pathname) === chosen) return
    history.replace(pathInLocale(location.pathname, chosen) + location.search)
  })
}
