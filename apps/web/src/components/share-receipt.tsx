import { useState } from 'react'
import { useConfig } from '../api/config.ts'
import { saveFile } from '../browser/save-file.ts'
import { m } from '../generated/paraglide/messages.js'
import { currentLocale } from '../i18n/locale.ts'
import { Button } from './button.tsx'
import type { ReceiptContent } from './receipt-layout.ts'
import { showToast } from './toast-store.ts'

/** Shares a receipt as a picture with the device's share sheet, or saves it where there is none. */
export function ShareReceipt({ receipt }: { receipt: ReceiptContent }) {
  const product = useConfig()?.product[currentLocale()] ?? 'Clearwell'
  const [busy, setBusy] = useState(false)
  const share = async () => {
    setBusy(true)
    try {
      const { drawReceipt } = await import('./receipt-picture.ts')
      const picture = await drawReceipt(receipt, { product, site: location.host })
      await shareOrSave(new File([picture], receipt.fileName, { type: 'image/png' }), receipt.title)
    } catch {
      showToast(m.ui_receipt_failed())
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button look="quiet" icon="share-2" busy={busy} onClick={share}>
      {m.ui_receipt_share()}
    </Button>
  )
}

async function shareOrSave(file: File, title: string): Promise<void> {
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
  showToast(m.ui_receipt_saved())
}
