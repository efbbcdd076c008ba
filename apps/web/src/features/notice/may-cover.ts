import type { Notice } from './notice.queries.ts'

/** Screens that show the news of the notices that link to a path; one that pops up there would only cover it. */
const SCREENS_OF: Readonly<Record<string, RegExp>> = { '/node/claim': /\/node(\/|$)/ }
/** Screens with the amounts that a press moves: a notice waits until the next screen. */
const CONFIRMATION = /\/confirm(ation)?$/

/** Returns true if a new notice may pop up over what is open. Otherwise it waits. */
export function mayCover(
  { path, isSheetOpen }: { readonly path: string; readonly isSheetOpen: boolean },
  { kind, link }: Pick<Notice, 'kind' | 'link'>,
): boolean {
  // A sheet asks or answers something now.
  if (isSheetOpen) return false
  // The banner of a frozen account says it, on every screen.
  return kind !== 'account_frozen' && !CONFIRMATION.test(path) && !SCREENS_OF[link ?? '']?.test(path)
}
