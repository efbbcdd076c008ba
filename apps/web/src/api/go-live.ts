import { afterTouch } from '@clearwell/ui/browser/after-touch.ts'

let isRequested = false

/** Call it from any polling query: the stream replaces polling after the first interaction with the page. */
export function goLive(): void {
  if (isRequested) return
  isRequested = true
  afterTouch(start)
}

/** Starts the stream without an interaction, for a page that shows notices to its user. */
export function goLiveNow(): void {
  isRequested = true
  start()
}

function start(): void {
  import('./live.ts').then(
    ({ startLive }) => startLive(),
    // Polling continues until then.
    () => addEventListener('online', start, { once: true }),
  )
}
