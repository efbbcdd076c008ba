import { keepFigures } from '../api/kept-figures.ts'
import { registerWorker } from '../browser/shell-worker.ts'

/** Figures change each second: keeping them as often would only wear the device out. */
const KEEP_EVERY_MS = 60_000
const FIRST_AFTER_MS = 3_000

/** Makes the app open without the network: registers the worker, which keeps its code, and keeps the figures that it has shown. */
export function keepOffline(): void {
  // A visitor who saves data pays for what they open, not for all screens.
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (!('serviceWorker' in navigator) || connection?.saveData) return
  // In a private window a browser may forbid it: the app then works with the network only.
  registerWorker().then(followFigures, () => {})
}

function followFigures(): void {
  const keep = () => void keepFigures().catch(() => {})
  setTimeout(keep, FIRST_AFTER_MS)
  setInterval(() => document.visibilityState === 'visible' && keep(), KEEP_EVERY_MS)
  addEventListener('offline', keep)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && keep())
}
