/** How long the browser may take to begin writing before the file's address is taken back. */
const ADDRESS_KEPT_MS = 60_000

/** Hands a file to the browser to be saved under a name. */
export function saveFile(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(url), ADDRESS_KEPT_MS)
}
