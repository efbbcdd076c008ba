import { Button } from '@clearwell/ui/components/button.tsx'
import { showToast } from '@clearwell/ui/components/toast-store.ts'
import { currentLocale } from '@clearwell/ui/i18n/locale.ts'
import { useState } from 'react'
import { useConfig } from '../api/config.ts'
import { m } from '../generated/messages.ts'
import type { ReceiptContent } from './receipt-layout.ts'
import { shareOrSaveFile } from './share-file.ts'

/** Shares a receipt as a picture with the device's share sheet, or saves it where there is none. */
export function ShareReceipt({ receipt }: { receipt: ReceiptContent }) {
  const product = useConfig()?.product[currentLocale()] ?? 'Clearwell'
  const [busy, setBusy] = useState(false)
  const share = async () => {
    setBusy(true)
    try {
      const { drawReceipt } = await import('./receipt-picture.ts')
      const picture = await drawReceipt(receipt, { product, site: location.host })
      const file = new File([picture], receipt.fileName, { type: 'image/png' })
      await shareOrSaveFile(file, { title: receipt.title, saved: m.ui_receipt_saved() })
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
