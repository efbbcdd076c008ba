/** Builds an element. A property that begins with `on` is a listener, and one that is `undefined` or `false` is left out. */
export function h(tag: string, properties: Properties = {}, ...children: readonly Child[]): HTMLElement {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(
    ...children.filter((child) => child !== undefined && child !== false).map((child) => child as Node | string),
  )
  return element
}

export type Properties = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>
export type Child = Node | string | undefined | false

/** A field with its label above it, a hint, and a fault. */
export function field(
  { id, label, hint, fault, value, ...rest }: Properties & { id: string; label: string; value: string },
  onChange: (value: string) => void,
): HTMLElement {
  const says = `${id}-says`
  const input = h('input', {
    ...{ id, value, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', ...rest },
    'aria-describedby': hint || fault ? says : undefined,
    'aria-invalid': fault ? 'true' : undefined,
    onchange: (event) => onChange((event.target as HTMLInputElement).value.trim()),
    // A browser reports no change of a text that was put back into a field that was drawn again.
    onblur: (event) => {
      const left = event.target as HTMLInputElement
      if (left.isConnected && isTyped(left)) onChange(left.value.trim())
    },
  })
  const text = fault ?? hint
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    input,
    typeof text === 'string' && h('p', { id: says, class: fault ? 'warn' : 'muted' }, text),
  )
}

/** Returns whether a field has a text that was not taken yet: it is drawn with the one that was. */
const isTyped = (input: HTMLInputElement) => input.value.trim() !== input.defaultValue

/**
 * Takes the text that a user is typing out of a field that will be drawn again.
 *
 * @returns puts it into the field of the same name, with its selection.
 */
export function takeTyped(old: Element | null): () => void {
  if (!(old instanceof HTMLInputElement) || old.type === 'file' || !isTyped(old)) return () => {}
  const { id, value, selectionStart, selectionEnd } = old
  // The browser may report that the field was left while it is removed, which must not take the text.
  old.value = old.defaultValue
  return () => {
    const drawn = document.getElementById(id)
    if (!(drawn instanceof HTMLInputElement) || drawn.defaultValue === value.trim()) return
    drawn.value = value
    drawn.setSelectionRange(selectionStart, selectionEnd)
  }
}

export function button(label: string, onPress: () => void, properties: Properties = {}): HTMLElement {
  return h('button', { type: 'button', onclick: onPress, ...properties }, label)
}

/** A button that puts a text on the clipboard, and says so for a moment. */
export function copyButton(label: string, copied: string, text: string): HTMLElement {
  const element = button(label, () => {
    void copy(text).then(() => {
      element.textContent = copied
      setTimeout(() => {
        element.textContent = label
      }, 1_500)
    })
  })
  element.classList.add('quiet')
  return element
}

/** Pages from files and plain hosts have no clipboard in some browsers, but can copy what is selected. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const area = h('textarea', { class: 'away' }) as HTMLTextAreaElement
    area.value = text
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }
}

/** A label and its amount, for a list of them. */
export const amountRow = (label: string, amount: string) => [h('dt', {}, label), h('dd', {}, amount)]
