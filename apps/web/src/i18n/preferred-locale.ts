import type { Locale } from './locale.ts'

export const LOCALE_COOKIE = 'clearwell_locale'

/** The saved choice, else the first language of the browser that Clearwell speaks, else the default. */
export function preferredLocale(
  cookies = document.cookie,
  browserLanguages: readonly string[] = navigator.languages,
): Locale {
  const saved = cookies.match(new RegExp(`(?:^|;\\s*)${LOCALE_COOKIE}=([\\w-]+)`))?.[1]
  if (saved === 'zh-HK' || saved === 'en') return saved
  for (const language of browserLanguages) {
    // Every Chinese, Cantonese too: there is one of them here, and it is nearer than English.
    if (/^(zh|yue)\b/i.test(language)) return 'zh-HK'
    if (/^en\b/i.test(language)) return 'en'
  }
  return 'zh-HK'
}
