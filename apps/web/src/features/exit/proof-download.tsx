import { saveFile } from '@clearwell/ui/browser/save-file.ts'
import { Button } from '@clearwell/ui/components/button.tsx'
import { showToast } from '@clearwell/ui/components/toast-store.ts'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { useState } from 'react'
import { isFinalRefusal } from '../../api/api-error.ts'
import { m } from '../../generated/messages.ts'
import { PROOF_FILE, readProofFile } from './read-proof-file.ts'

/** Saves the file that the exit kit needs. A file that broke off is not saved. */
export function ProofDownload() {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const start = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      saveFile(await readProofFile(), PROOF_FILE)
      showToast(m.exit_proof_saved({ name: PROOF_FILE }))
    } catch (error) {
      setFailure(error)
    }
    setBusy(false)
  }
  return (
    <div className="mt-3 flex flex-col gap-2">
      <p className="text-secondary text-muted">{m.exit_proof_text()}</p>
      {failure !== undefined && (
        <p role="alert" className="text-secondary text-warn text-phrases">
          {failureText(failure)}
        </p>
      )}
      <Button look="quiet" size="small" icon="download" busy={isBusy} onClick={start}>
        {m.exit_proof_download()}
      </Button>
    </div>
  )
}

function failureText(failure: unknown): string {
  if (isFinalRefusal(failure) && failure.codeName === 'not_found') return m.exit_proof_none()
  return m.exit_proof_failed({ reason: errorText(failure) })
}
