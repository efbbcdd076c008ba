import type { Answer } from '@clearwell/api/routes'
import { useId, useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useConfig } from '../../api/config.ts'
import { useCommand } from '../../api/use-command.ts'
import { cx } from '../../browser/cx.ts'
import { Sheet } from '../../components/sheet.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { errorText } from '../../i18n/error-text.ts'
import { formatAmount } from '../../i18n/format.ts'
import { Icon, type IconName } from '../../icons/icon.tsx'
import { cleanHash, isHash, type RetrieveOutcome, retrieveOutcome } from './retrieve-outcome.ts'

/** Looks a payment up by its hash and says, for each outcome, what became of the money. */
export default function RetrieveSheet({ onClose }: { onClose: () => void }) {
  const [hash, setHash] = useState('')
  const [tried, setTried] = useState(false)
  const retrieve = useCommand('retrieve', { silent: true })
  const invalid = tried && !isHash(hash)
  const lookUp = () => {
    setTried(true)
    if (isHash(hash)) retrieve.mutate({ tx_hash: hash })
  }
  return (
    <Sheet title={m.wallet_retrieve()} text={m.wallet_retrieve_text()} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          lookUp()
        }}
      >
        <HashField
          value={hash}
          error={invalid}
          onChange={(typed) => {
            setHash(cleanHash(typed))
            setTried(false)
            retrieve.reset()
          }}
        />
        <div aria-live="polite" className="flex flex-col">
          {retrieve.data && <Outcome answer={retrieve.data} />}
          {retrieve.error && <Note icon="circle-alert" look="text-down" text={errorText(retrieve.error)} />}
        </div>
        <GatedButton needs="session" icon="search" busy={retrieve.isPending} onClick={lookUp}>
          {retrieve.data || retrieve.error ? m.wallet_retrieve_again() : m.wallet_retrieve_submit()}
        </GatedButton>
      </form>
    </Sheet>
  )
}

function HashField({ value, error, onChange }: { value: string; error: boolean; onChange: (typed: string) => void }) {
  const id = useId()
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="text-label text-muted">
        {m.wallet_retrieve_hash()}
      </label>
      <input
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder="0x…"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={error || undefined}
        aria-describedby={`${id}-note`}
        className={cx(
          'min-h-14 w-full rounded-control border bg-card px-4 font-mono outline-none placeholder:text-muted/60 focus:border-accent',
          error ? 'border-down' : 'border-edge/60',
        )}
      />
      <p id={`${id}-note`} className={cx('text-label', error ? 'text-down' : 'text-muted')}>
        {error ? m.wallet_retrieve_invalid() : m.wallet_retrieve_hint()}
      </p>
    </div>
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

function Outcome({ answer }: { answer: Answer<'retrieve'> }) {
  const network = useConfig()?.chain.name ?? ''
  const outcome = retrieveOutcome(answer)
  return <Note {...LOOKS[outcome]} text={outcomeText(outcome, answer, network)} />
}

function Note({ icon, look, text }: { icon: IconName; look: string; text: string }) {
  return (
    <p className="flex gap-3 rounded-control border border-line p-3">
      <Icon name={icon} className={look} />
      <span className="min-w-0 flex-1">{text}</span>
    </p>
  )
}

function outcomeText(outcome: RetrieveOutcome, answer: Answer<'retrieve'>, network: string): string {
  const mine = answer.items.filter((item) => item.mine || outcome.startsWith('sender'))
  const amounts = mine.map(({ asset, amount }) => `${formatAmount(amount)} ${asset}`).join(' · ')
  const count = { n: answer.confirmations, m: answer.required }
  switch (outcome) {
    case 'credited':
      return m.wallet_retrieve_credited({ amounts })
    case 'pending':
      return m.wallet_retrieve_pending({ amounts, ...count })
    case 'already':
      return m.wallet_retrieve_already({ amounts })
    case 'not_found':
      return m.wallet_retrieve_not_found({ network })
    case 'not_ours':
      return m.wallet_retrieve_not_ours()
    case 'failed_on_chain':
      return m.wallet_retrieve_failed()
    case 'sender_credited':
      return m.wallet_retrieve_sender_credited({ amounts })
    case 'sender_pending':
      return m.wallet_retrieve_sender_pending({ amounts, ...count })
  }
}
