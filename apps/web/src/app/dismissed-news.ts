import { useStore } from '@clearwell/ui/browser/store.ts'
import { stored } from '@clearwell/ui/browser/stored.ts'

/** More than are announced at a time. */
const MOST = 50

/** The ids of announcements that were dismissed on this device, the oldest first. */
const dismissedStore = stored<readonly string[]>({
  key: 'clearwell.dismissed-news',
  scope: 'device',
  schema: (value) =>
    Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.slice(-MOST) : undefined,
})

const NONE: readonly string[] = []

export function useDismissedNews(): readonly string[] {
  return useStore(dismissedStore) ?? NONE
}

export function dismissNews(id: string): void {
  dismissedStore.set([...(dismissedStore.get() ?? []), id].slice(-MOST))
}
