import type { ResponseOf } from '@clearwell/api/routes'
import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { TextField } from '@clearwell/ui/components/text-field.tsx'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { Icon, type IconName } from '@clearwell/ui/icons/icon.tsx'
import { useState } from 'react'
import { GatedButton } from '../account/gated-button.tsx'
import { useConfig } from '../api/config.ts'
import { useCommand } from '../api/use-command.ts'
import { m } from '../generated/messages.ts'

/** A look-up by hash, and what it found. */
export interface LookUp {
  readonly found: { readonly icon: IconName; readonly look: string; readonly text: string } | undefined
  readonly error: Error | null
  readonly isPending: boolean
  find(hash: string): void
  reset(): void
}

/** Looks a payment up by its hash, and says for each outcome where the funds are. */
export function RetrieveForm({ text, lookUp, onClose }: { text: string; lookUp: LookUp; onClose: () => void }) {
  const [hash, setHash] = useState('')
  const [isTried, setTried] = useState(false)
  const { found, error, isPending } = lookUp
  const submit = () => {
    setTried(true)
    if (isHash(hash)) lookUp.find(hash)
  }
  const change = (typed: string) => {
    setHash(cleanHash(typed))
    setTried(false)
    lookUp.reset()
  }
  return (
    <Sheet title={m.payment_retrieve()} text={text} onClose={onClose} locked={isPending}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField
          label={m.payment_hash()}
          value={hash}
          onChange={change}
          placeholder="0x…"
          mono
          hint={m.payment_retrieve_hint()}
          error={isTried && !isHash(hash) ? m.payment_retrieve_invalid() : undefined}
        />
        <div aria-live="polite" className="flex flex-col">
          {found && <Note {...found} />}
          {error && <Note icon="circle-alert" look="text-warn" text={errorText(error)} />}
        </div>
        <GatedButton needs="session" icon="search" busy={isPending} onClick={submit}>
          {found || error ? m.payment_retrieve_again() : m.payment_retrieve_submit()}
        </GatedButton>
      </form>
    </Sheet>
  )
}

/** Looks up a payment for the balance. */
export default function RetrieveSheet({ onClose }: { onClose: () => void }) {
  const network = useConfig()?.chain.name ?? ''
  const { data, error, isPending, mutate, reset } = useCommand('retrieve', { silent: true })
  const outcome = data && retrieveOutcome(data)
  const found = outcome && { ...LOOKS[outcome], text: outcomeText(outcome, data, network) }
  const find = (hash: string) => mutate({ tx_hash: hash })
  return (
    <RetrieveForm
      text={m.payment_retrieve_text()}
      lookUp={{ found, error, isPending, find, reset }}
      onClose={onClose}
    />
  )
}

const LOOKS: Record<RetrieveOutcome, { icon: IconName; look: string }> = {
  credited: { icon: 'circle-check', look: 'text-accent' },
  already: { icon: 'circle-check', look: 'text-accent' },
  pending: { icon: 'history', look: 'text-muted' },
  sender_pending: { icon: 'history', look: 'text-muted' },
  sender_credited: { icon: 'users', look: 'text-muted' },
  not_found: { icon: 'triangle-alert', look: 'text-warn' },
  not_ours: { icon: 'triangle-alert', look: 'text-warn' },
  failed_on_chain: { icon: 'triangle-alert', look: 'text-warn' },
}

function Note({ icon, look, text }: { icon: IconName; look: string; text: string }) {
  return (
    <p className="flex gap-3 rounded-control border border-line p-3">
      <Icon name={icon} className={look} />
      <span className="min-w-0 flex-1">{text}</span>
    </p>
  )
}

function outcomeText(outcome: RetrieveOutcome, response: ResponseOf<'retrieve'>, network: string): string {
  const mine = response.items.filter((item) => item.mine || outcome.startsWith('sender'))
  const amounts = mine.map(({ asset, amount }) => `${formatAmount(amount)} ${asset}`).join(' · ')
  const count = { n: response.confirmations, m: response.required }
  switch (outcome) {
    case 'credited':
      return m.payment_retrieve_credited({ amounts })
    case 'pending':
      return m.payment_retrieve_pending({ amounts, ...count })
    case 'already':
      return m.payment_retrieve_already({ amounts })
    case 'not_found':
      return m.payment_retrieve_not_found({ network })
    case 'not_ours':
      return m.payment_retrieve_not_ours()
    case 'failed_on_chain':
      return m.payment_retrieve_failed()
    case 'sender_credited':
      return m.payment_retrieve_sender_credited({ amounts })
    case 'sender_pending':
      return m.payment_retrieve_sender_pending({ amounts, ...count })
  }
}

/** The result of a look-up, from the point of view of the signed-in account. */
type RetrieveOutcome =
  | 'credited'
  | 'pending'
  | 'already'
  | 'not_found'
  | 'not_ours'
  | 'failed_on_chain'
  | 'sender_credited'
  | 'sender_pending'

export function retrieveOutcome({
  status,
  reason,
}: Pick<ResponseOf<'retrieve'>, 'status' | 'reason'>): RetrieveOutcome {
  if (reason === 'sender_credited') return status === 'pending' ? 'sender_pending' : 'sender_credited'
  return reason ?? status
}

/** The hash in a pasted text, without spaces or an explorer's address. */
export function cleanHash(text: string): string {
  const trimmed = text.trim()
  return /0x[0-9a-fA-F]{64}(?![0-9a-fA-F])/.exec(trimmed)?.[0] ?? trimmed
}

export function isHash(text: string): boolean {
  return /^0x[0-9a-fA-F]{64}$/.test(text)
}
