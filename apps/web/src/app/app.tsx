import { CSPProvider } from '@base-ui/react/csp-provider'
import { IsRestoringProvider, QueryClientProvider } from '@tanstack/react-query'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { type ReactNode, StrictMode, Suspense, startTransition, useEffect, useState } from 'react'
import { queryClient } from '../api/query-client.ts'

/**
 * The whole app, in the browser and where home is prerendered.
 *
 * React hydrates the frame first and the screen in it later. A response between them would be in the screen's first render,
 * which then differs from the page: React would draw the screen again, under the finger. So no query starts while the app
 * hydrates; the end of that is an update of a context, before which React hydrates everything under it.
 */
export function App(props: { router: AnyRouter; isHydrating?: boolean; children?: ReactNode }) {
  const { router, children } = props
  const [isHydrating, setHydrating] = useState(props.isHydrating ?? false)
  // As a transition, which hydrates in slices.
  useEffect(() => startTransition(() => setHydrating(false)), [])
  return (
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <IsRestoringProvider value={isHydrating}>
            {/* Here and not in the router, which has its own only outside prerendering: both renders must match. */}
            <Suspense>
              <RouterProvider router={router} />
              {children}
            </Suspense>
          </IsRestoringProvider>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>
  )
}
