import { saveFile } from '@clearwell/ui/browser/save-file.ts'
import type { FailedCheck } from './kept-check.ts'

/** Hands a check that did not hold to the browser as a file, with all that others need to repeat it. */
export function saveFailure(failure: FailedCheck): void {
  const blob = new Blob([JSON.stringify(failure, undefined, 2)], { type: 'application/json' })
  saveFile(blob, `clearwell-balance-${failure.checkedAt.slice(0, 10)}.json`)
}
