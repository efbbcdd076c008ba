import { Link, useLocation } from '@tanstack/react-router'
import { ApiError, NoAnswerError } from '../api/api-error.ts'
import { useStore } from '../browser/store.ts'
import { Button, buttonClass } from '../components/button.tsx'
import { m } from '../generated/paraglide/messages.js'
import { errorText } from '../i18n/error-text.ts'
import { serverAwayStore } from './missing-chunk.ts'

interface ErrorPageProps {
  /** `null`: there is no status, since no response came. */
  readonly status?: number | null
  readonly message?: string
  readonly description?: string
}

/** The error page: a status, a message and a description. */
function ErrorPage({
  status = 500,
  message = status === 404 ? m.error_page_not_found_title() : m.error_page_internal_title(),
  description = m.error_page_unknown(),
}: ErrorPageProps) {
  return (
    <div role="alert" className="flex flex-1 flex-col items-center justify-center gap-3 px-6 py-10 text-center">
      {status && <p className="figures text-display text-muted">{status}</p>}
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

/** An uncaught error. The page of an unreachable server shows no status. */
export function FatalErrorPage({ error }: { error: unknown }) {
  const isAway = useStore(serverAwayStore) || error instanceof NoAnswerError
  if (isAway) return <ErrorPage status={null} message={m.app_no_answer()} />
  // The server's message. That of a bug would not help the user.
  return error instanceof ApiError ? <ErrorPage description={errorText(error)} /> : <ErrorPage />
}

/** An unmatched route. */
export function NotFoundPage() {
  const { pathname } = useLocation()
  return <ErrorPage status={404} description={m.error_page_not_found({ path: pathname })} />
}
