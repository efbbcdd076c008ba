import { useLocation } from '@tanstack/react-router'
import { m } from '../generated/messages.ts'
import { ErrorPage } from './error-page.tsx'

/** An unmatched route. */
export function NotFoundPage() {
  const { pathname } = useLocation()
  return <ErrorPage status={404} description={m.error_page_not_found({ path: pathname })} />
}
