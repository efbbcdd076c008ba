import { saveFile } from '@clearwell/ui/browser/save-file.ts'
import { showError, showToast } from '@clearwell/ui/components/toast-store.ts'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { ApiError, NoResponseError } from '../../api/api-error.ts'
import { download } from '../../api/download.ts'
import { m } from '../../generated/messages.ts'

const FALLBACK_NAME = 'clearwell-data.json'

/** Saves everything that is stored about the user as a file. A file that broke off is not saved. */
export function DataDownload() {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const start = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const { response, fileName = FALLBACK_NAME } = await download('myData', {})
      const blob = await response.blob().catch((cause: unknown) => {
        throw new NoResponseError('the file broke off', { cause })
      })
      saveFile(blob, fileName)
      showToast(m.data_downloaded({ name: fileName }))
    } catch (error) {
      setFailure(error)
      if (error instanceof ApiError) showError(error)
    }
    setBusy(false)
  }
  return (
    <>
      {failure !== undefined && (
        <p role="alert" className="text-label text-warn text-phrases">
          {m.data_download_failed({ reason: errorText(failure) })}
        </p>
      )}
      <GatedButton needs="session" icon="download" busy={isBusy} onClick={start}>
        {m.data_download()}
      </GatedButton>
    </>
  )
}
