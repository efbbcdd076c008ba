import { createStore } from '../browser/store.ts'
import { errorText } from '../i18n/error-text.ts'

/** How long a toast stays, and how long something says that it was copied (specification §9). */
export const TOAST_MS = 2_000
export const COPIED_MS = 1_500

export interface Message {
  readonly title?: string
  readonly text: string
  /** The screen with more. */
  readonly link?: { readonly path: string; readonly label: string }
}

/** The messages and toasts that `ToastHost` shows; it loads their code with the first one. */
export const messageStore = createStore<Message | undefined>(undefined)
export const toastStore = createStore<readonly { id: number; text: string }[]>([])

let lastToastId = 0

/** A line that disappears after 2 s: an action is done, or a wallet reported something. */
export function showToast(text: string): void {
  lastToastId += 1
  toastStore.set([...toastStore.get(), { id: lastToastId, text }])
}

/** Takes the toasts away: their texts are in the language that was left. */
export function clearToasts(): void {
  toastStore.set([])
}

/** A dialog that waits to be closed. */
export function showMessage(message: Message): void {
  messageStore.set(message)
}

/** Shows the failure of a user's action in a dialog. */
export function showError(error: unknown): void {
  showMessage({ text: errorText(error) })
}
