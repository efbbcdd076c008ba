import { useEffect, useRef } from 'react'
import { m } from '../generated/messages.ts'
import { Button } from './button.tsx'
import { explicitRead } from './explicit-read.ts'

/** How far below the screen the next page is requested. */
const AHEAD = '400px'

interface ListEndProps {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchNextPageError: boolean
  readonly fetchNextPage: () => unknown
}

/** The end of a list that goes on: fetches the next page when one comes near, and offers to when that failed. */
export function ListEnd({ hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage }: ListEndProps) {
  const end = useRef<HTMLDivElement>(null)
  const fetchNext = useRef(fetchNextPage)
  fetchNext.current = fetchNextPage
  const waiting = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    if (!end.current || !waiting) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && fetchNext.current(), {
      rootMargin: AHEAD,
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [waiting])
  if (!hasNextPage) return null
  // The user asked, so a failure shows a dialog too. An automatic request only changes the button.
  const goOn = () => void explicitRead(() => fetchNextPage())
  return (
    <div ref={end} className="flex min-h-14 items-center justify-center">
      <Button look="quiet" size="small" busy={isFetchingNextPage} onClick={goOn}>
        {isFetchNextPageError ? m.app_retry() : m.ui_more()}
      </Button>
    </div>
  )
}
