/** The languages of the interface; the first is the default and lives at the bare path (specification §1). */
export const LOCALES = ['zh-HK', 'en'] as const
export type Locale = (typeof LOCALES)[number]

let current: Locale = 'zh-HK'

/** The language that every message and every format uses now. */
export function currentLocale(): Locale {
  return current
}

/** Called by the router alone: the path says the language, `/en` English and the bare path Traditional Chinese. */
export function showLocale(locale: Locale): void {
  current = locale
  if (typeof document !== 'undefined') document.documentElement.lang = locale
}

/** A text in each language, whichever is shown: for a search that finds the words of both. */
export function inEachLocale(text: () => string): string[] {
  const shown = current
  try {
    return LOCALES.map((locale) => {
      current = locale
      return text()
    })
  } finally {
    current = shown
  }
}

/** The language of formats. English as it is written in Hong Kong: the day before the month. */
export function intlLocale(): string {
  return currentLocale() === 'en' ? 'en-HK' : 'zh-HK'
}
