import { overwriteGetLocale } from '../generated/paraglide/runtime.js'

/** The languages of the interface; the first is the default and lives at the bare path (specification §1). */
export const LOCALES = ['zh-HK', 'en'] as const
export type Locale = (typeof LOCALES)[number]

const COOKIE_NAME = 'clearwell_locale'
const COOKIE_MAX_AGE_S = 365 * 24 * 60 * 60

let current: Locale = 'zh-HK'
overwriteGetLocale(() => current)

/** The language that every message and every format uses now. */
export function currentLocale(): Locale {
  return current
}

/** Called by the router alone: the path says the language, `/en` English and the bare path Traditional Chinese. */
export function showLocale(locale: Locale): void {
  current = locale
  if (typeof document !== 'undefined') document.documentElement.lang = locale
}

/** Keeps a choice for 365 days. */
export function saveLocaleChoice(locale: Locale): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari before 18.4.
  document.cookie = `${COOKIE_NAME}=${locale}; max-age=${COOKIE_MAX_AGE_S}; path=/; samesite=lax`
}

/** The saved choice, else the first language of the browser that Clearwell speaks, else the default. */
export function preferredLocale(
  cookies = document.cookie,
  browserLanguages: readonly string[] = navigator.languages,
): Locale {
  const saved = cookies.match(/(?:^|;\s*)clearwell_locale=([\w-]+)/)?.[1]
  if (saved === 'zh-HK' || saved === 'en') return saved
  for (const language of browserLanguages) {
    if (/^zh\b/i.test(language)) return 'zh-HK'
    if (/^en\b/i.test(language)) return 'en'
  }
  return 'zh-HK'
}
