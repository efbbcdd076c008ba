import { Link, useLocation } from '@tanstack/react-router'
import { ApiError, NoAnswerError } from '../api/api-error.ts'
import { m } from '../generated/paraglide/messages.js'
import { Button, buttonClass } from '../ui/button.tsx'
import { errorText } from '../ui/error-text.ts'

interface ErrorPageProps {
  readonly status?: number
  readonly message?: string
  readonly description?: string
}

/** The page for what cannot be shown: its status, a message and a description. */
export function ErrorPage({
  status = 500,
  message = status === 404 ? m.error_page_not_found_title() : m.error_page_internal_title(),
  description = m.error_page_unknown(),
}: ErrorPageProps) {
  return (
    <div role="alert" className="flex flex-1 flex-col items-center justify-center gap-3 px-6 py-10 text-center">
      <p className="figures text-display text-muted">{status}</p>
      <h1 className="text-heading">{message}</h1>
      <p className="max-w-full text-muted [overflow-wrap:anywhere]">{description}</p>
      <div className="mt-3 flex flex-wrap justify-center gap-3">
        {status !== 404 && (
          <Button look="quiet" icon="refresh-cw" onClick={() => location.reload()}>
            {m.app_reload()}
          </Button>
        )}
        <Link to="/{-$locale}" className={buttonClass()}>
          {m.app_go_home()}
        </Link>
      </div>
    </div>
  )
}

/** The error's description: what the server said, or that it was not reached. A bug's own words would help nobody. */
export function fatalText(error: unknown): string {
  const isKnown = error instanceof ApiError || error instanceof NoAnswerError
  return isKnown ? errorText(error) : m.error_page_unknown()
}

/** An unmatched route. */
export function NotFoundPage() {
  const { pathname } = useLocation()
  return <ErrorPage status={404} description={m.error_page_not_found({ path: pathname })} />
}
