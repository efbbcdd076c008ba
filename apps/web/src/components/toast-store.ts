import { createStore } from '../browser/store.ts'
import { errorText } from '../i18n/error-text.ts'

/** How long a toast stays, and how long something says that it was copied (specification §9). */
export const TOAST_MS = 2_000
export const COPIED_MS = 1_500

export interface Message {
  readonly title?: string
  readonly text: string
}

/** What waits to be shown. `ToastHost` shows it; its code is loaded with the first notice. */
export const messageStore = createStore<Message | undefined>(undefined)
export const toastStore = createStore<readonly { id: number; text: string }[]>([])

let lastToastId = 0

/** A line that goes by itself after 2 s: a thing is done, or a wallet said something. */
export function showToast(text: string): void {
  lastToastId += 1
  toastStore.set([...toastStore.get(), { id: lastToastId, text }])
}

/** A dialog that waits to be closed. */
function showMessage(message: Message): void {
  messageStore.set(message)
}

/** What went wrong with something the user asked for, in a dialog. */
export function showError(error: unknown): void {
  showMessage({ text: errorText(error) })
}
