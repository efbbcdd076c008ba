import en from './exit-kit.messages.en.json' with { type: 'json' }
import zhHk from './exit-kit.messages.zh-HK.json' with { type: 'json' }

export type Locale = 'en' | 'zh-HK'
export type TextKey = keyof typeof en

const TEXTS: Readonly<Record<Locale, Readonly<Record<TextKey, string>>>> = { en, 'zh-HK': zhHk }

export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string

/** Returns the texts of a language. A name in braces is replaced by its value. */
export function textsOf(locale: Locale): Translate {
  return (key, values = {}) => TEXTS[locale][key].replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''))
}

export type BuildFault = Extract<TextKey, `build_fault_${string}`>

/** Names the text of a fault of proof data, as `build_fault_<code>`. */
export function buildFaultKey(code: string): BuildFault | undefined {
  const key = `build_fault_${code}`
  return key in en ? (key as BuildFault) : undefined
}

export function preferredLocale(languages: readonly string[]): Locale {
  return languages.some((each) => /^zh/i.test(each)) ? 'zh-HK' : 'en'
}

/** A time in seconds, in the reader's own zone. */
export function formatTime(seconds: number, locale: Locale): string {
  return new Intl.DateTimeFormat(locale, {
    ...{ year: 'numeric', month: 'short', day: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  }).format(new Date(seconds * 1_000))
}
