import { useStore } from '@clearwell/ui/browser/store.ts'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { ApiError, NoResponseError } from '../api/api-error.ts'
import { ErrorPage } from '../components/error-page.tsx'
import { m } from '../generated/messages.ts'
import { serverAwayStore } from './missing-chunk.ts'

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
