import type { ResponseOf } from '@clearwell/api/routes'
import { createStore } from '@clearwell/ui/browser/store.ts'
import { type ApiError, UnknownOutcomeError } from './api-error.ts'
import { ownSentCommands, type SentCommand } from './sent-commands.ts'

/** A command of this page that got no response, until its outcome is found. */
export interface LostCommand {
  readonly sent: SentCommand
  /** Returns whether the screen that asked is still there to show the outcome. */
  readonly isShown: () => boolean
}

/** The end of a lost command: its response, its refusal, or neither where the user left it open. */
export type LostEnd = { readonly response: unknown } | { readonly refusal: ApiError } | undefined

interface Waiting extends LostCommand {
  readonly end: (end: LostEnd) => void
}

/** True once a screen is open that sends commands: the sheet must be there when the network is not. */
export const lostSheetWantedStore = createStore(false)

/** The lost commands of this page, the first of which the sheet shows. */
export const lostStore = createStore<readonly Waiting[]>([])

/**
 * Shows the sheet of lost commands and waits for the outcome that it finds.
 *
 * @throws ApiError for a refusal, UnknownOutcomeError where the user closed the sheet before the outcome was known.
 */
export async function askForOutcome(lost: LostCommand): Promise<ResponseOf<never>> {
  const { promise, resolve } = Promise.withResolvers<LostEnd>()
  const waiting = { ...lost, end: resolve }
  lostStore.set([...lostStore.get(), waiting])
  const end = await promise
  lostStore.set(lostStore.get().filter((each) => each !== waiting))
  if (end === undefined) throw new UnknownOutcomeError()
  if ('refusal' in end || lost.isShown()) ownSentCommands().remove(lost.sent.key)
  if ('refusal' in end) throw end.refusal
  return end.response as never
}
