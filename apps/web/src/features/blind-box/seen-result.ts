/** The newest box whose result this device has shown, so that a box opens with a motion only once. */
const KEY = 'clearwell.box.seen'

export function isResultSeen(boxId: string): boolean {
  try {
    return localStorage.getItem(KEY) === boxId
  } catch {
    // Without storage nothing moves.
    return true
  }
}

export function markResultSeen(boxId: string): void {
  try {
    localStorage.setItem(KEY, boxId)
  } catch {}
}
