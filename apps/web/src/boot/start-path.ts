import type { Locale } from '@clearwell/ui/i18n/locale.ts'
import { localeOfPath, pathInLocale } from '@clearwell/ui/i18n/locale-path.ts'

/** Where a visit begins. `path` is the router's, with its query: the part after the `#`. */
export interface StartPath {
  readonly path: string
  readonly locale: Locale
  readonly isHome: boolean
}

/**
 * Where a visit begins. Routing is by hash; the server also serves `/en`, which without a hash means the English home.
 * The address says the language, so a shared link shows the same to everyone. Only home without `/en` is everyone's: a visitor
 * who prefers English sees it in English.
 */
export function startPath({ pathname, hash }: { pathname: string; hash: string }, preferred: Locale): StartPath {
  const [asked = '', ...rest] = hash.replace(/^#/, '').split('?')
  const fallback = /^\/en\/?$/.test(pathname) ? '/en' : '/'
  const screen = asked.startsWith('/') ? asked : fallback
  const query = rest.length === 0 ? '' : `?${rest.join('?')}`
  const isHome = pathInLocale(screen, 'zh-HK') === '/'
  const locale = isHome && localeOfPath(screen) !== 'en' ? preferred : localeOfPath(screen)
  return { path: pathInLocale(screen, locale) + query, locale, isHome }
}
