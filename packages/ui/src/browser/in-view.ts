import { type RefObject, useEffect, useRef, useState } from 'react'

/** How far below the screen an element counts as in view, so that it is loaded when it comes. */
const AHEAD = '200px'

/** Returns a ref, and whether its element has been in view or close to it, for content that loads only then. */
export function useInView<Seen extends Element>(): [RefObject<Seen | null>, boolean] {
  const element = useRef<Seen>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (!element.current || seen) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true), {
      rootMargin: AHEAD,
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [seen])
  return [element, seen]
}

/** Scrolls an element into view when it appears: an error must not hide below the fold of a small phone. */
export function useScrolledIntoView<Shown extends Element>(): RefObject<Shown | null> {
  const shown = useRef<Shown>(null)
  useEffect(() => {
    shown.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return shown
}
