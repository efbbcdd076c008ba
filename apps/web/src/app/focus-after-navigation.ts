import type { AnyRouter } from '@tanstack/react-router'
import { pathInLocale } from '../i18n/locale-path.ts'

/**
 * Once another screen is drawn the focus goes to its heading, as it would to the top of a page that is loaded: what had
 * it before is gone, or is not what one came for. The same screen in another language keeps it where it was.
 */
export function focusAfterNavigation(router: AnyRouter): void {
  router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
    if (!fromLocation || pathInLocale(fromLocation.pathname, 'en') === pathInLocale(toLocation.pathname, 'en')) return
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  })
}
