import { type RefObject, useEffect, useState } from 'react'
import { useInView } from '../../browser/in-view.ts'

/**
 * Keeps a drawing in an element from when it is seen on.
 *
 * @param load fetches what draws, and draws into the element; it has to stay the same while the drawing should.
 */
export function useDrawing<Kind extends { remove(): void }>(
  load: (element: HTMLElement) => Promise<Kind>,
): [RefObject<HTMLDivElement | null>, { drawing: Kind | undefined; failed: boolean; retry: () => void }] {
  const [host, seen] = useInView<HTMLDivElement>()
  const [drawing, setDrawing] = useState<Kind>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    const element = host.current
    if (!seen || failed || !element) return
    let made: Kind | undefined
    let gone = false
    load(element).then(
      (drawn) => {
        made = drawn
        if (gone) made.remove()
        else setDrawing(() => drawn)
      },
      () => gone || setFailed(true),
    )
    return () => {
      gone = true
      made?.remove()
      setDrawing(undefined)
    }
  }, [host, seen, failed, load])
  return [host, { drawing, failed, retry: () => setFailed(false) }]
}
