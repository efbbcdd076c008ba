import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { type LookUp, RetrieveForm } from '../../vault-payment/retrieve-sheet.tsx'
import type { ActivationOrder } from './activation.queries.ts'

/** Looks a payment up by its hash, and counts it for the activation. */
export default function RetrieveActivationSheet({ onClose }: { onClose: () => void }) {
  const { data, error, isPending, mutate, reset } = useCommand('active', { silent: true })
  const found = data && foundIn(data)
  const find = (hash: string) => mutate({ tx_hash: hash })
  return (
    <RetrieveForm
      text={m.activation_retrieve_text()}
      lookUp={{ found, error, isPending, find, reset }}
      onClose={onClose}
    />
  )
}

function foundIn({ status, confirmations, required }: ActivationOrder): LookUp['found'] {
  switch (status) {
    case 'seen':
      return {
        icon: 'history',
        look: 'text-muted',
        text: m.activation_found_seen({ n: confirmations, m: required }),
      }
    case 'credited':
      return { icon: 'circle-check', look: 'text-accent', text: m.activation_found_credited() }
    case 'created':
      return { icon: 'triangle-alert', look: 'text-warn', text: m.activation_found_none() }
  }
}
