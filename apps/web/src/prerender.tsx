import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { Skeleton } from '@clearwell/ui/components/skeleton.tsx'
import { type Locale, showLocale } from '@clearwell/ui/i18n/locale.ts'
import { pathInLocale } from '@clearwell/ui/i18n/locale-path.ts'
import { showIcons } from '@clearwell/ui/icons/icon-bodies.ts'
import { createMemoryHistory } from '@tanstack/react-router'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { App } from './app/app.tsx'
import { bundledIcons } from './generated/icons.ts'
import { m } from './generated/messages.ts'
import { createAppRouter } from './routes/router.ts'

// In a browser they come from the page.
showIcons(bundledIcons)

/** Home for a signed-out visitor, before any figure is known. Runs at build time, never in a browser. */
export async function renderHome(locale: Locale): Promise<string> {
  const history = createMemoryHistory({ initialEntries: [pathInLocale('/', locale)] })
  const router = createAppRouter({ ...history, createHref: (path) => `#${path}` })
  await router.load()
  const html = renderToString(<App router={router} />)
  // React puts what belongs into the head first; the page has its own.
  return html.replace(/^(<(title|meta|link)\b[^>]*>([^<]*<\/title>)?)+/, '')
}

/** The placeholder of a screen that is still loading. */
export function renderSkeleton(): string {
  return renderToStaticMarkup(<ScreenSkeleton />)
}

/** The page to show when the app cannot be loaded. */
export function renderFatalPage(locale: Locale): string {
  showLocale(locale)
  return renderToStaticMarkup(<FatalPage />)
}

/** The product's name without the operator's configuration. */
export function renderTitle(locale: Locale): string {
  showLocale(locale)
  return m.app_name()
}

/** The error page for when the app itself could not be loaded. Prerendered: there is no script left to draw it. */
function FatalPage() {
  return (
    <div className="well column flex min-h-dvh flex-col">
      <main
        role="alert"
        className="flex flex-1 flex-col items-center justify-center gap-3 px-6 py-12 text-center text-balance"
      >
        <p className="figures text-amount text-muted">500</p>
        <h1 className="text-section">{m.error_page_internal_title()}</h1>
        <p className="text-muted">{m.error_page_not_loaded()}</p>
        <p className="text-muted">{m.error_page_not_loaded_text()}</p>
        <a href="/" className={buttonClass()}>
          {m.app_reload()}
        </a>
      </main>
    </div>
  )
}

/** The shape of a screen: its title and a list. */
function ScreenSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-1 flex-col gap-4 px-4 pt-4 pb-6">
      <Skeleton className="h-8 w-40" />
      <div className="flex flex-col divide-y divide-line">
        {['first', 'second', 'third', 'fourth'].map((row) => (
          <div key={row} className="flex min-h-16 items-center justify-between gap-3">
            <Skeleton className="h-4 w-28" />
            <Skeleton className="h-4 w-20" />
          </div>
        ))}
      </div>
    </div>
  )
}
