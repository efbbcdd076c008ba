import { buttonClass } from '../components/button.tsx'
import { m } from '../generated/paraglide/messages.js'

/** The error page for when the app itself could not be loaded. Prerendered: there is no script left to draw it. */
export function FatalPage() {
  return (
    <div className="well column flex min-h-dvh flex-col">
      <main
        role="alert"
        className="flex flex-1 flex-col items-center justify-center gap-3 px-6 py-10 text-center text-balance"
      >
        <h1 className="text-heading">{m.error_page_not_loaded()}</h1>
        <p className="text-muted">{m.error_page_not_loaded_text()}</p>
        <a href="/" className={buttonClass()}>
          {m.app_reload()}
        </a>
      </main>
    </div>
  )
}
