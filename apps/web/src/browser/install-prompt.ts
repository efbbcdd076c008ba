import { createStore } from '@clearwell/ui/browser/store.ts'
import { anyText, stored } from '@clearwell/ui/browser/stored.ts'

/** The event of a browser that can install the app. TypeScript does not know it, because not all browsers have it. */
interface InstallPrompt {
  prompt(): Promise<unknown>
}

/** The browser's own prompt, kept for the right moment; `undefined` where the app cannot be installed, or is. */
export const installPromptStore = createStore<InstallPrompt | undefined>(undefined)

/** A mark that is set once the app was offered for installation. */
export const wasOffered = stored<string>({
  key: 'clearwell.install-offered',
  scope: 'device',
  format: 'text',
  schema: anyText,
})

/** Keeps the browser's prompt, which it would show right away otherwise. Called at start: it comes early, and once. */
export function keepInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    installPromptStore.set(event as Event & InstallPrompt)
  })
  addEventListener('appinstalled', () => installPromptStore.set(undefined))
}
