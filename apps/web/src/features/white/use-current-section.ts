import { useEffect, useState } from 'react'
import { sectionElementId } from '../../content/content-blocks.tsx'
import type { Section } from './sections.ts'

/** A section is current once its heading is within this distance of the top, just below the header and the bar. */
const READING_LINE_PX = 160

/** The id of the section in view; the first one until a heading is reached. */
export function useCurrentSection(sections: readonly Section[]): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.id)
  useEffect(() => {
    let frame = 0
    const look = () => {
      frame = 0
      setCurrent(
        sectionAt(sections, (id) => document.getElementById(sectionElementId(id))?.getBoundingClientRect().top),
      )
    }
    const onScroll = () => {
      frame ||= requestAnimationFrame(look)
    }
    look()
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', onScroll)
    }
  }, [sections])
  return current
}

/** The last section whose heading is above the reading line. `topOf` returns the position of a heading in px. */
export function sectionAt(sections: readonly Section[], topOf: (id: string) => number | undefined): string | undefined {
  const reached = sections.findLast(({ id }) => (topOf(id) ?? Number.POSITIVE_INFINITY) <= READING_LINE_PX)
  return (reached ?? sections[0])?.id
}

/** Scrolls to a section and moves the focus to its heading. Ignores an unknown section. */
export function goToSection(id: string): void {
  const heading = document.getElementById(sectionElementId(id))
  if (!heading) return
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  heading.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' })
  heading.focus({ preventScroll: true })
}
