import { type Locale, preferredLocale } from '../ui/locale.ts'

/** The language that a path asks for: `/en` and below English, every other path Traditional Chinese. */
export function localeOfPath(pathname: string): Locale {
  return /^\/en(\/|$)/.test(pathname) ? 'en' : 'zh-HK'
}

/** The same screen in a language. */
export function pathInLocale(pathname: string, locale: Locale): string {
  const bare = pathname.replace(/^\/en(?=\/|$)/, '') || '/'
  return locale === 'en' ? `/en${bare === '/' ? '' : bare}` : bare
}

/**
 * Once, before the router starts: whoever comes to a bare path but prefers English goes to the same screen under
 * `/en`. A path that says `/en` is meant, and stays; so does every path that is gone to afterwards.
 */
export function startInPreferredLocale(): void {
  const [path = '', query] = location.hash.replace(/^#/, '').split('?')
  const pathname = path === '' ? '/' : path
  if (localeOfPath(pathname) === 'en' || preferredLocale() !== 'en') return
  const hash = `#${pathInLocale(pathname, 'en')}${query === undefined ? '' : `?${query}`}`
  history.replaceState(history.state, '', hash)
}
