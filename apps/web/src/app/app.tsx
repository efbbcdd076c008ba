import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { type ReactNode, StrictMode, Suspense } from 'react'
import { queryClient } from '../api/query-client.ts'

/** The whole app, in the browser and where home is prerendered. */
export function App({ router, children }: { router: AnyRouter; children?: ReactNode }) {
  return (
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          {/* Here and not in the router, which has its own only outside prerendering: both renders must match. */}
          <Suspense>
            <RouterProvider router={router} />
            {children}
          </Suspense>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>
  )
}
