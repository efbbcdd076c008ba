/** What a touch is about is loaded first. */
const AFTER_TOUCH_MS = 1_000

/**
 * Does something a moment after somebody first uses the page, and does not only look at it: until then a page stays as
 * light as it was. It may be done twice.
 */
export function afterTouch(work: () => void): void {
  const start = () => setTimeout(work, AFTER_TOUCH_MS)
  if (navigator.userActivation?.hasBeenActive) start()
  else for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, start, { once: true })
}
