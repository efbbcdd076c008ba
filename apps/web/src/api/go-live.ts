/** What a touch is about is loaded first. */
const AFTER_TOUCH_MS = 1_000

let isAsked = false

/**
 * Whoever polls says so. Once somebody uses the page, and does not only look at it, the stream takes the polls' place:
 * until the first touch a page stays as light as it was, and asks as often as the specification has it.
 */
export function goLive(): void {
  if (isAsked) return
  isAsked = true
  const start = () => void import('./live.ts').then(({ startLive }) => startLive())
  const load = () => setTimeout(start, AFTER_TOUCH_MS)
  if (navigator.userActivation?.hasBeenActive) load()
  else for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, load, { once: true })
}
