import type { Locale } from './locale.ts'

/** The language that a path asks for: `/en` and below English, every other path Traditional Chinese. */
export function localeOfPath(pathname: string): Locale {
  return /^\/en(\/|$)/.test(pathname) ? 'en' : 'zh-HK'
}

/** The same screen in a language. */
export function pathInLocale(pathname: string, locale: Locale): string {
  const bare = pathname.replace(/^\/en(?=\/|$)/, '') || '/'
  return locale === 'en' ? `/en${bare === '/' ? '' : bare}` : bare
}
