/** The delay after a touch, in which the touched part loads first. */
const AFTER_TOUCH_MS = 1_000

/**
 * Runs `work` a moment after the first interaction with the page: until then the page stays as light as it is. It may run
 * twice.
 */
export function afterTouch(work: () => void): void {
  const start = () => setTimeout(work, AFTER_TOUCH_MS)
  if (navigator.userActivation?.hasBeenActive) start()
  else for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, start, { once: true })
}
