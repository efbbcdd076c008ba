import { createStore } from '../browser/store.ts'
import { bundledIcons } from '../generated/icons.ts'

/** The drawing of each icon: those of the first paint from the start, the others once they are loaded. */
export const iconBodyStore = createStore<Readonly<Record<string, string>>>(bundledIcons)

export function showIcons(bodies: Readonly<Record<string, string>>): void {
  iconBodyStore.set({ ...iconBodyStore.get(), ...bodies })
}
