import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, onTestFinished, test } from 'vitest'
import type { WholeConfig } from '../../api/config.ts'
import { CONFIG_KEY, queryClient } from '../../api/query-client.ts'
import { sessionStore, type User, walletPresentStore } from '../../api/session-store.ts'
import { testConfig } from '../../testing/config.ts'
import { TermsCheck, useTerms } from './terms-check.tsx'

const TERMS = { version: '2', url: 'https://pool.example/terms' }

/** Shows the checkbox, and what a confirmation needs and sends. */
function Probe() {
  const terms = useTerms()
  return (
    <>
      <TermsCheck {...terms} />
      <output>{JSON.stringify([terms.isOpen, terms.payload])}</output>
    </>
  )
}

/** @param accepted the version that the user accepted before. */
function render(config: Partial<WholeConfig>, accepted: string | null, locale: 'en' | 'zh-HK' = 'en') {
  showLocale(locale)
  queryClient.setQueryData(CONFIG_KEY, testConfig(config))
  const terms = accepted === null ? null : { version: accepted, accepted_at: '2030-01-01T00:00:00.000Z' }
  sessionStore.set({ token: 'token', user: { address: '0xaa', activated: false, terms } as User })
  walletPresentStore.set(true)
  onTestFinished(() => {
    queryClient.clear()
    sessionStore.set({ token: undefined, user: undefined })
    walletPresentStore.set(false)
  })
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <Probe />
    </QueryClientProvider>,
  )
  return { hasCheckbox: html.includes('type="checkbox"'), html: html.replaceAll('&quot;', '"') }
}

test.each([
  ['there are no terms', null, null, false, [false, {}]],
  ['the user has not accepted', TERMS, null, true, [true, { terms_version: '2' }]],
  ['the user accepted another version', TERMS, '1', true, [true, { terms_version: '2' }]],
  ['the user accepted this version', TERMS, '2', false, [false, { terms_version: '2' }]],
] as const)('asks and sends the version when %s', (_when, terms, accepted, hasCheckbox, state) => {
  const shown = render({ terms }, accepted)
  expect(shown.hasCheckbox).toBe(hasCheckbox)
  expect(shown.html).toContain(`<output>${JSON.stringify(state)}</output>`)
})

test.each([
  ['en', 'Read the terms, version 2'],
  ['zh-HK', '閱讀條款（版本 2）'],
] as const)('the link in %s names the version and opens the text', (locale, label) => {
  expect(render({ terms: TERMS }, null, locale).html).toMatch(new RegExp(`href="${TERMS.url}"[^>]*>${label}</a>`))
})
