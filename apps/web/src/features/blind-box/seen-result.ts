import { anyText, stored } from '@clearwell/ui/browser/stored.ts'

/** The newest box whose result this device has shown, so that a box opens with a motion only once. */
const seenResult = stored<string>({
  key: 'clearwell.box.seen',
  scope: 'device',
  format: 'text',
  schema: anyText,
})

export function isResultSeen(boxId: string): boolean {
  return seenResult.get() === boxId
}

export function markResultSeen(boxId: string): void {
  seenResult.set(boxId)
}
