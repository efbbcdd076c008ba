import type { Locale } from './locale.ts'

const LOCALE_COOKIE = 'clearwell_locale'
const COOKIE_MAX_AGE_S = 365 * 24 * 60 * 60

/** The saved choice, else the first language of the browser that Clearwell speaks, else the default. */
export function preferredLocale(
  cookies = document.cookie,
  browserLanguages: readonly string[] = navigator.languages,
): Locale {
  const saved = cookies.match(new RegExp(`(?:^|;\\s*)${LOCALE_COOKIE}=([\\w-]+)`))?.[1]
  if (saved === 'zh-HK' || saved === 'en') return saved
  for (const language of browserLanguages) {
    // Every Chinese locale, Cantonese included, is shown in zh-HK.
    if (/^(zh|yue)\b/i.test(language)) return 'zh-HK'
    if (/^en\b/i.test(language)) return 'en'
  }
  return 'zh-HK'
}

/** Stores a choice for 365 days. */
export function saveLocaleChoice(locale: Locale): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari before 18.4.
  document.cookie = `${LOCALE_COOKIE}=${locale}; max-age=${COOKIE_MAX_AGE_S}; path=/; samesite=lax`
}
