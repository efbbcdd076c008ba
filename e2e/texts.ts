import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Locale = 'zh-HK' | 'en'

/** The languages of a journey whose steps are the same in both: one in `npm test`, both in the nightly run. */
export function localesOf(first: Locale): readonly Locale[] {
  return process.env.NIGHTLY === '1' ? ['zh-HK', 'en'] : [first]
}

const web = join(import.meta.dirname, '../apps/web')

/**
 * Reads the app's own texts in a language, so that journeys need no copies of them.
 *
 * @example const t = textsOf('en'); t('wallet_transfer_in')
 */
export function textsOf(locale: Locale): (key: string, variables?: Readonly<Record<string, string>>) => string {
  const texts = read.get(locale) ?? readTexts(locale)
  read.set(locale, texts)
  return (key, variables = {}) => {
    const text = texts[key]
    if (typeof text !== 'string') throw new Error(`there is no text ${key} in ${locale}`)
    return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => variables[name] ?? '')
  }
}

/** The banner of a page without the network, which says when its figures came. */
export function offlineText(t: (key: string, variables?: Readonly<Record<string, string>>) => string): RegExp {
  const [before = '', after = ''] = t('app_offline_as_of', { time: '|' }).split('|')
  return new RegExp(`^${RegExp.escape(before)}\\d\\d:\\d\\d${RegExp.escape(after)}$`)
}

/** Journeys ask for the texts at every step, and reading a hundred files takes 14 ms. */
const read = new Map<Locale, Readonly<Record<string, unknown>>>()

function readTexts(locale: Locale): Record<string, unknown> {
  const files = globSync(`{src,../../packages/ui/src}/**/*.messages.${locale}.json`, { cwd: web })
  return Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(join(web, file), 'utf8'))))
}
