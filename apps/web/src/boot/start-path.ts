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
 * A visitor who prefers English and opens a bare path goes to the same screen under `/en`, once. A path under `/en` stays,
 * and so does every later path.
 */
export function startPath({ pathname, hash }: { pathname: string; hash: string }, preferred: Locale): StartPath {
  const [asked = '', ...rest] = hash.replace(/^#/, '').split('?')
  const fallback = /^\/en\/?$/.test(pathname) ? '/en' : '/'
  const screen = asked.startsWith('/') ? asked : fallback
  const query = rest.length === 0 ? '' : `?${rest.join('?')}`
  const meant = localeOfPath(screen) === 'en' ? 'en' : preferred
  const path = pathInLocale(screen, meant)
  return { path: path + query, locale: meant, isHome: pathInLocale(path, 'zh-HK') === '/' }
}
