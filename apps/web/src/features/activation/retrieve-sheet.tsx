import { useState } from 'react'
import { useCommand } from '../../api/use-command.ts'
import { Button } from '../../components/button.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { TextField } from '../../components/text-field.tsx'
import { m } from '../../generated/paraglide/messages.js'
import type { ActivationOrder } from './activation.queries.ts'
import { ActivationProblem } from './activation-problem.tsx'

const HASH = /^0x[0-9a-f]{64}$/i

/** Looks a payment up by its transaction hash, and counts it for the activation. */
export default function RetrieveSheet({ onClose }: { onClose: () => void }) {
  const [hash, setHash] = useState('')
  const [isPressed, setPressed] = useState(false)
  const retrieve = useCommand('active', { silent: true })
  const isValid = HASH.test(hash.trim())

  function lookUp(): void {
    setPressed(true)
    if (isValid) retrieve.mutate({ tx_hash: hash.trim() })
  }

  return (
    <Sheet
      title={m.activation_retrieve()}
      text={m.activation_retrieve_text()}
      onClose={onClose}
      locked={retrieve.isPending}
    >
      <TextField
        label={m.activation_hash()}
        value={hash}
        onChange={(text) => {
          setHash(text)
          setPressed(false)
          retrieve.reset()
        }}
        placeholder="0x…"
        mono
        error={isPressed && !isValid ? m.activation_invalid_hash() : undefined}
      />
      {retrieve.data && (
        <p role="status" className={retrieve.data.status === 'created' ? 'text-warn' : ''}>
          {foundText(retrieve.data)}
        </p>
      )}
      {retrieve.isError && !retrieve.isPending && <ActivationProblem error={retrieve.error} />}
      {retrieve.data && retrieve.data.status !== 'created' ? (
        <Button onClick={onClose}>{m.app_close()}</Button>
      ) : (
        <Button busy={retrieve.isPending} onClick={lookUp}>
          {m.activation_look_up()}
        </Button>
      )}
    </Sheet>
  )
}

function foundText({ status, confirmations, required }: ActivationOrder): string {
  switch (status) {
    case 'seen':
      return m.activation_found_seen({ n: confirmations, m: required })
    case 'credited':
      return m.activation_found_credited()
    case 'created':
      return m.activation_found_none()
  }
}
