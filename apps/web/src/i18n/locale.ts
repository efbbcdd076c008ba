import { overwriteGetLocale } from '../generated/paraglide/runtime.js'
import { LOCALE_COOKIE } from './preferred-locale.ts'

/** The languages of the interface; the first is the default and lives at the bare path (specification §1). */
export const LOCALES = ['zh-HK', 'en'] as const
export type Locale = (typeof LOCALES)[number]

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
  document.cookie = `${LOCALE_COOKIE}=${locale}; max-age=${COOKIE_MAX_AGE_S}; path=/; samesite=lax`
}
