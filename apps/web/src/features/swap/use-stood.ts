import { useEffect, useState } from 'react'

/** Longer than a double tap, and than it takes to see that what is about to be pressed has changed. */
const STAND_MS = 600

/** Whether what is shown has stood there, unchanged, for long enough to have been seen. */
export function useStood(shown: string): boolean {
  const [stood, setStood] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setStood(shown), STAND_MS)
    return () => {
      clearTimeout(timer)
      // What comes back a moment later has to stand anew.
      setStood(undefined)
    }
  }, [shown])
  return stood === shown
}
