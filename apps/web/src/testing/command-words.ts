import type { LookedUpCommand, PayloadInput, ResponseOf } from '@clearwell/api/routes'
import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, expect, test } from 'vitest'
import { type AllCommandWords, type WordsOf, wordsFor } from '../account/lost-command/command-words.ts'
import { ApiError } from '../api/api-error.ts'
import type { FactsOf } from '../api/command-facts.ts'
import { featureScreens } from '../features.ts'

/** A request of a user and what the app says of it. */
export interface CommandCase<Name extends LookedUpCommand> {
  readonly payload: PayloadInput<Name>
  readonly facts: FactsOf<Name>
  /** In English and in Chinese. */
  readonly asked: readonly [en: string, zh: string]
  /** A response, of which only the fields that the words read, and its result in English. */
  readonly done?: readonly [response: Partial<ResponseOf<Name>>, en: string]
}

/** Tests the words of a feature's commands: at least one case of each. */
export function testCommandWords<Names extends LookedUpCommand>(
  words: WordsOf<Names>,
  cases: { readonly [Name in Names]: readonly [CommandCase<Name>, ...CommandCase<Name>[]] },
): void {
  afterEach(() => showLocale('zh-HK'))
  // The name decides the types of a case, which a list of all of them no longer knows.
  const all = Object.entries(cases).flatMap(([name, ofName]) =>
    (ofName as readonly CommandCase<never>[]).map((each) => ({ name: name as Names, ...each })),
  )
  const wordsOf = (name: Names) => wordsFor(words as unknown as AllCommandWords, { name })

  test.each(all)('$name says what was asked: $asked.0', ({ name, payload, facts, asked: [en, zh] }) => {
    showLocale('en')
    expect(wordsOf(name).asked({ payload, facts })).toBe(en)
    showLocale('zh-HK')
    expect(wordsOf(name).asked({ payload, facts })).toBe(zh)
  })

  test.each(all)('$name links to a screen: $asked.0', ({ name, payload, facts }) => {
    const { to } = wordsOf(name).link({} as never, { payload, facts })
    expect(Object.keys(featureScreens)).toContain(to.replace('/{-$locale}', ''))
  })

  test.each(all)('$name explains a refusal: $asked.0', ({ name, payload, facts }) => {
    const error = new ApiError(20001, 'Balance not enough', null)
    expect(wordsOf(name).refused?.(error, { payload, facts }) ?? error.message).not.toBe('')
  })

  test.each(all.filter(({ done }) => done))('$name says its result: $done.1', ({ name, payload, facts, done }) => {
    showLocale('en')
    expect(wordsOf(name).done(done?.[0] as never, { payload, facts })).toBe(done?.[1])
  })
}
