/**
 * Copies a text to the clipboard. Browsers inside wallet apps often have no clipboard or forbid it, but still copy a selection.
 *
 * @throws Error where the browser copies nothing at all.
 */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch (error) {
    if (!copySelected(text)) throw error
  }
}

/** Copies by selecting the text in an element that cannot be seen. It takes no focus, so an open sheet keeps it. */
function copySelected(text: string): boolean {
  const selection = getSelection()
  if (!selection) return false
  const element = Object.assign(document.createElement('span'), { textContent: text })
  element.style.cssText = 'position:fixed;top:0;clip-path:inset(50%);white-space:pre;user-select:text'
  document.body.append(element)
  selection.selectAllChildren(element)
  const isCopied = document.execCommand('copy')
  selection.removeAllRanges()
  element.remove()
  return isCopied
}
