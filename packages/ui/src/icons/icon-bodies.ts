import { createStore } from '../browser/store.ts'

/** The drawing of each icon: those of the first paint from the start, the others once they are loaded. */
export const iconBodyStore = createStore<Readonly<Record<string, string>>>(readPageIcons())

export function showIcons(bodies: Readonly<Record<string, string>>): void {
  iconBodyStore.set({ ...iconBodyStore.get(), ...bodies })
}

/** The icons of the first paint, from the page: home's script need not repeat the drawings that its HTML has. */
function readPageIcons(): Record<string, string> {
  const icons = globalThis.document?.querySelector<HTMLTemplateElement>('template#icons')
  if (!icons) return {}
  return Object.fromEntries(Array.from(icons.content.children, (icon) => [icon.id, icon.innerHTML]))
}
