import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError, NoResponseError } from '../api/api-error.ts'
import { useStore } from '../browser/store.ts'
import { Button, buttonClass } from '../components/button.tsx'
import { m } from '../generated/messages.ts'
import { errorText } from '../i18n/error-text.ts'
import { serverAwayStore } from './missing-chunk.ts'

/** The error page: a status, its message and the description of the error (specification §2). */
function ErrorPage({
  status = 500,
  description,
  children,
}: {
  status?: number
  description: string
  children?: ReactNode
}) {
  const message = status === 404 ? m.error_page_not_found_title() : m.error_page_internal_title()
  return (
    <div role="alert" className="flex flex-1 flex-col items-center justify-center gap-3 px-6 py-12 text-center">
      <p className="figures text-total text-muted">{status}</p>
      <h1 className="text-screen">{message}</h1>
      <p className="max-w-full text-muted [overflow-wrap:anywhere]">{description}</p>
      {children}
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

/** An uncaught error: that the server is away, its message, or what the error itself says. */
export function FatalErrorPage({ error }: { error: unknown }) {
  const isAway = useStore(serverAwayStore) || error instanceof NoResponseError
  if (error instanceof ApiError && !isAway) return <ErrorPage description={errorText(error)} />
  const own = error instanceof Error && error.message !== '' ? error.message : m.app_something_went_wrong()
  return (
    <ErrorPage description={isAway ? m.app_no_response() : own}>
      <p className="text-muted">{m.error_page_unknown()}</p>
    </ErrorPage>
  )
}

/** An unmatched route. */
export function NotFoundPage() {
  const { pathname } = useLocation()
  return <ErrorPage status={404} description={m.error_page_not_found({ path: pathname })} />
}
