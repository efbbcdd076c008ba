import { type PointerEvent, useRef } from 'react'

/** A card that was moved this far upwards or sideways, in pixels, is closed. */
const AWAY = 40
/** A shorter movement is a press. */
const PRESS = 8

/** Handlers of a card at the top of the screen: it follows the finger, and a swipe upwards or sideways closes it. */
export function useSwipeAway(onAway: () => void) {
  const from = useRef<{ x: number; y: number }>(undefined)
  const hasMoved = useRef(false)
  const putBack = (event: PointerEvent<HTMLElement>) => {
    from.current = undefined
    event.currentTarget.style.translate = ''
  }
  return {
    onPointerDown({ clientX, clientY }: PointerEvent) {
      from.current = { x: clientX, y: clientY }
      hasMoved.current = false
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (!from.current) return
      const { x, y } = movementOf(event, from.current)
      hasMoved.current ||= Math.hypot(x, y) > PRESS
      if (hasMoved.current) event.currentTarget.style.translate = `${x}px ${y}px`
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (!from.current) return
      const { x, y } = movementOf(event, from.current)
      putBack(event)
      if (Math.abs(x) > AWAY || y < -AWAY) onAway()
    },
    onPointerCancel: putBack,
    onPointerLeave: putBack,
    // The end of a swipe over the link of the card is no press.
    onClickCapture(event: { preventDefault(): void; stopPropagation(): void }) {
      if (!hasMoved.current) return
      hasMoved.current = false
      event.preventDefault()
      event.stopPropagation()
    },
    // A mouse would drag the link itself.
    onDragStart: (event: { preventDefault(): void }) => event.preventDefault(),
  }
}

/** How far a pointer moved: downwards, the card does not follow. */
function movementOf({ clientX, clientY }: PointerEvent, from: { x: number; y: number }) {
  return { x: clientX - from.x, y: Math.min(0, clientY - from.y) }
}
