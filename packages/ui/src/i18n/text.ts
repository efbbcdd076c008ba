import { currentLocale } from './locale.ts'

/**
 * The text in the current language. Compiled messages call this, with a text for each of `LOCALES`.
 *
 * @public
 */
export function text(chinese: string, english: string): string {
  return currentLocale() === 'en' ? english : chinese
}

/**
 * The English text for a number of things: one, or any other number.
 *
 * @public
 */
export function plural(count: string | number, one: string, other: string): string {
  return String(count) === '1' ? one : other
}
