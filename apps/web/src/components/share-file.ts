import { saveFile } from '@clearwell/ui/browser/save-file.ts'
import { showToast } from '@clearwell/ui/components/toast-store.ts'

/**
 * Hands a file to the device's share sheet, or saves it where there is none.
 *
 * @param saved says that the file was saved.
 */
export async function shareOrSaveFile(file: File, { title, saved }: { title: string; saved: string }): Promise<void> {
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title })
      return
    } catch (error) {
      // The user closed the share sheet. Any other failure, such as a press that is too old by now, saves it instead.
      if (error instanceof DOMException && error.name === 'AbortError') return
    }
  }
  saveFile(file, file.name)
  showToast(saved)
}
