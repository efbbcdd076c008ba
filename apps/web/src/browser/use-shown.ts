import { type RefObject, useEffect, useRef } from 'react'

/** Brings an element into sight when it appears: what went wrong must not stand below the fold of a small phone. */
export function useShown<Shown extends Element>(): RefObject<Shown | null> {
  const shown = useRef<Shown>(null)
  useEffect(() => {
    shown.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return shown
}
