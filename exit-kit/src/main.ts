import { type EIP1193Provider, sha256, toBytes } from 'viem'
import { createKit, domainOf, type Fields } from './kit.ts'
import { linkFields } from './link-fields.ts'
import { preferredLocale } from './texts.ts'
import { drawPage } from './view/page.ts'

/** The page as it was loaded, before anything is drawn: a personal copy is made of it. */
const LOADED = document.documentElement.outerHTML
const DATA = /(<script type="application\/json" id="kit-data">)[^<]*(<\/script>)/

// Browsers have it only in secure contexts, and a page of a plain host is none.
if (!globalThis.crypto.subtle) {
  const digest = async (_: string, bytes: Uint8Array) => toBytes(sha256(bytes)).buffer
  Object.defineProperty(globalThis.crypto, 'subtle', { value: { digest } })
}

const root = document.getElementById('kit') as HTMLElement
const kit = createKit(preferredLocale(navigator.languages), () => drawPage(root, kit, saveCopy))
drawPage(root, kit, saveCopy)
watchWallets()
for (const [name, value] of Object.entries(linkFields(location.hash))) void kit.setField(name as keyof Fields, value)
// A file wins over the link.
const embedded = document.getElementById('kit-data')?.textContent?.trim()
if (embedded) void kit.addFile('kit-data', embedded)

/** Hands this page to the browser as a file, with the user's proof in it. */
function saveCopy(): void {
  const { data } = kit.state
  // Hexadecimal, numbers and names: none has a tag in it, and `<` could only come from a damaged file.
  const text = JSON.stringify({ format: 'clearwell exit 1', ...data, ...domainOf(kit.state) }).replaceAll(
    '<',
    '\\u003c',
  )
  const page = `<!doctype html>\n${LOADED.replace(DATA, (_, before, after) => before + text + after)}`
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([page], { type: 'text/html' }))
  link.download = 'clearwell-exit-kit.html'
  link.click()
  URL.revokeObjectURL(link.href)
}

/** The kit knows each wallet of the browser, also one that announces itself later. */
function watchWallets(): void {
  const injected = (window as { ethereum?: EIP1193Provider }).ethereum
  if (injected) kit.setProvider(injected)
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { detail } = event as CustomEvent<{ provider?: EIP1193Provider }>
    if (detail?.provider) kit.setProvider(detail.provider)
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
}
