import { afterTouch } from '../browser/after-touch.ts'

let isAsked = false

/**
 * Whoever polls says so. Once somebody uses the page the stream takes the polls' place; until then it asks as often as the
 * specification has it.
 */
export function goLive(): void {
  if (isAsked) return
  isAsked = true
  afterTouch(start)
}

/** For whoever is told of what is theirs: at once, touched or not. */
export function goLiveNow(): void {
  isAsked = true
  start()
}

function start(): void {
  import('./live.ts').then(
    ({ startLive }) => startLive(),
    // The polls go on until then.
    () => addEventListener('online', start, { once: true }),
  )
}
