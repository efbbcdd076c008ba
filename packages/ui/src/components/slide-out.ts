import { popupLayer } from './popup-layer.ts'

/**
 * Shows how a sheet leaves. The sheet is closed immediately and waits for nothing; a copy of it slides out in its place, for every cause
 * of closing alike. The copy takes neither taps nor focus, and screen readers pass over it.
 *
 * Call it while the sheet is still in the document. Without motion there is no copy.
 *
 * @param parts the elements of the sheet. Each and its children get the styles of `data-ending-style`.
 */
export function slideOut(parts: readonly (HTMLElement | null)[]): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const there = parts.filter((part) => part !== null)
  const copies = there.map(copyOf)
  queueMicrotask(() => {
    // React's strict mode ends effects of a sheet that stays.
    if (there.some(({ isConnected }) => isConnected)) return
    const layer = document.createElement('div')
    layer.inert = true
    layer.ariaHidden = 'true'
    layer.append(...copies.map(({ copy }) => copy))
    popupLayer().append(layer)
    for (const [element, top] of copies.flatMap(({ scrolled }) => scrolled)) element.scrollTop = top
    end(
      layer,
      copies.map(({ copy }) => copy),
    )
  })
}

interface Copy {
  readonly copy: HTMLElement
  /** The scrollers of the copy, each with the pixels that it was scrolled by, which a clone does not keep. */
  readonly scrolled: readonly (readonly [Element, number])[]
}

function copyOf(part: HTMLElement): Copy {
  const copy = part.cloneNode(true) as HTMLElement
  const elements = [...copy.querySelectorAll('*')]
  const scrolled = [...part.querySelectorAll('*')].flatMap(({ scrollTop }, index) => {
    const element = elements[index]
    return scrollTop > 0 && element ? [[element, scrollTop] as const] : []
  })
  // A label of the next sheet would find its field here. A drawing refers to its parts by their ids.
  for (const each of copy.querySelectorAll('[id]:not(svg *)')) each.removeAttribute('id')
  return { copy, scrolled }
}

/** Moves the copies from where the sheet was to where it ends. */
function end(layer: HTMLElement, copies: readonly HTMLElement[]): void {
  const moved = copies.flatMap((copy) => [copy, ...copy.children] as HTMLElement[])
  // Shown where the sheet was first: a new element would begin with the styles that it starts with.
  for (const { style, dataset } of moved) {
    style.transition = 'none'
    // Of a sheet that was dragged away.
    style.transform = ''
    delete dataset.swiping
    delete dataset.endingStyle
  }
  layer.getBoundingClientRect()
  for (const { style, dataset } of moved) {
    style.transition = ''
    dataset.endingStyle = ''
  }
  const moves = moved.flatMap((element) => element.getAnimations())
  void Promise.allSettled(moves.map(({ finished }) => finished)).then(() => layer.remove())
}
