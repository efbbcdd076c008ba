import { useRouterState } from '@tanstack/react-router'
import { m } from '../generated/messages.ts'

/** A thin bar under the header while the next screen is being loaded. It appears late, so a fast change shows none. */
export function RouteProgress() {
  const isLoading = useRouterState({ select: ({ status }) => status === 'pending' })
  if (!isLoading) return null
  return (
    <div role="status" className="route-progress">
      <span className="sr-only">{m.app_loading()}</span>
    </div>
  )
}
