import { type Evidence, verifyBox } from '@clearwell/verify/verify-box'

/** Verifies beside the page, so that a day of many boxes never stops a scroll. Loaded when one verifies. */
addEventListener('message', ({ data }: MessageEvent<Evidence>) => {
  // A rejected promise alone would not reach the page.
  verifyBox(data).then((steps) => postMessage(steps), reportError)
})
