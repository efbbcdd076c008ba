import { lazy, Suspense, useEffect, useState } from 'react'

const PageSummary = lazy(() => import('./page-summary.tsx'))

/** The first paint and its data come first: nobody reads the description in the first seconds. */
const DELAY_MS = 2_000

/** Describes the page by the summary of its screen, after everything that people wait for. */
export function PageDescription() {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return <Suspense>{late && <PageSummary />}</Suspense>
}
