import { createStore } from '../browser/store.ts'
import { bundledIcons } from '../generated/icons.ts'

/** What is drawn inside each icon's box: those of the first paint from the start, the others as they come. */
export const iconBodyStore = createStore<Readonly<Record<string, string>>>(bundledIcons)

export function showIcons(bodies: Readonly<Record<string, string>>): void {
  iconBodyStore.set({ ...iconBodyStore.get(), ...bodies })
}
