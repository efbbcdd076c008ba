import { useStore } from '@clearwell/ui/browser/store.ts'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { ApiError, NoResponseError } from '../api/api-error.ts'
import { ErrorPage } from '../components/error-page.tsx'
import { m } from '../generated/messages.ts'
import { AwayPage } from './away-page.tsx'
import { serverAwayStore } from './missing-chunk.ts'

/** An uncaught error: its message, or what the error itself says. A server that is away is no error of the app. */
export function FatalErrorPage({ error }: { error: unknown }) {
  const isAway = useStore(serverAwayStore)
  if (isAway || error instanceof NoResponseError) return <AwayPage />
  if (error instanceof ApiError) return <ErrorPage description={errorText(error)} />
  return (
    <ErrorPage
      description={error instanceof Error && error.message !== '' ? error.message : m.app_something_went_wrong()}
    >
      <p className="text-muted">{m.error_page_unknown()}</p>
    </ErrorPage>
  )
}
