import { createMemoryHistory } from '@tanstack/react-router'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { App } from './app/app.tsx'
import { FatalPage } from './app/fatal-page.tsx'
import { createAppRouter } from './app/router.ts'
import { ScreenSkeleton } from './app/screen-skeleton.tsx'
import { m } from './generated/paraglide/messages.js'
import { type Locale, showLocale } from './i18n/locale.ts'
import { pathInLocale } from './i18n/locale-path.ts'

/** Home as someone sees it who is not signed in, before any figure is known. Run at build time, never in a browser. */
export async function renderHome(locale: Locale): Promise<string> {
  const history = createMemoryHistory({ initialEntries: [pathInLocale('/', locale)] })
  const router = createAppRouter({ ...history, createHref: (path) => `#${path}` })
  await router.load()
  const html = renderToString(<App router={router} />)
  // React puts what belongs into the head first; the page has its own.
  return html.replace(/^(<(title|meta|link)\b[^>]*>([^<]*<\/title>)?)+/, '')
}

/** What stands in the place of a screen that is still loading. */
export function renderSkeleton(): string {
  return renderToStaticMarkup(<ScreenSkeleton />)
}

/** What stands in the place of the whole app when it cannot be loaded. */
export function renderFatalPage(locale: Locale): string {
  showLocale(locale)
  return renderToStaticMarkup(<FatalPage />)
}

/** The product's name as it is called without the operator's configuration. */
export function renderTitle(locale: Locale): string {
  showLocale(locale)
  return m.app_name()
}
