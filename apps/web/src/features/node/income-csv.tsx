import { saveFile } from '@clearwell/ui/browser/save-file.ts'
import { Button } from '@clearwell/ui/components/button.tsx'
import { showError, showToast } from '@clearwell/ui/components/toast-store.ts'
import { useState } from 'react'
import { download } from '../../api/download.ts'
import { m } from '../../generated/messages.ts'

const FALLBACK_NAME = 'clearwell-income.csv'

/** Saves all rewards of the user as a file. */
export function IncomeCsv() {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const { response, fileName = FALLBACK_NAME } = await download('nodeIncomeCsv', {})
      saveFile(await response.blob(), fileName)
      showToast(m.node_csv_done({ name: fileName }))
    } catch (error) {
      showError(error)
    }
    setBusy(false)
  }
  return (
    <Button look="quiet" icon="download" busy={busy} onClick={save}>
      {m.node_csv()}
    </Button>
  )
}
