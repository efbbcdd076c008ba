import { cx } from '@clearwell/ui/browser/cx.ts'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { ProofSeal } from '@clearwell/ui/components/brand-mark.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { explicitRead } from '@clearwell/ui/components/explicit-read.ts'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { formatAgo, formatAmount, formatList, formatUsdt } from '@clearwell/ui/i18n/format.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { m } from '../../generated/messages.ts'
import { type Reserves, type ReservesState, stateOf, useAgeSeconds, useReserves } from './proof.queries.ts'
import { RESERVES } from './proof.samples.ts'

const ProofSheet = lazySheet(() => import('./proof-sheet.tsx'))

/** The asset in whose name the card speaks: the one that everything is valued in. The sheet has all. */
const HEADLINE_ASSET = 'USDT'

/**
 * Shows the vault's holding beside the ledger's total. A press anywhere opens the sheet in which the browser repeats the
 * comparison. Load it with `ProofSlot`: nothing of it belongs to the first paint.
 */
export default function ProofCard() {
  const [isOpen, setOpen] = useState(false)
  const reserves = useReserves()
  const { data, isError } = reserves
  const state = data && stateOf(data)
  return (
    <section
      aria-label={m.proof_title()}
      className="relative flex min-h-40 flex-col rounded-card border border-line bg-surface px-4 pt-4 pb-1 hover:border-accent"
    >
      <header className="mb-2 flex min-h-6 items-center gap-2">
        <Seal state={state ?? (isError ? 'failed' : 'unchecked')} />
        <h2 className="flex-1 text-section">{m.proof_title()}</h2>
        {data && isError && <Badge tone="warning">{m.ui_stale()}</Badge>}
      </header>
      {data && state ? (
        <Compared reserves={data} state={state} updatedAtMs={reserves.dataUpdatedAt} onOpen={() => setOpen(true)} />
      ) : isError ? (
        <>
          <p role="alert" className="text-secondary text-muted">
            {errorText(reserves.error)}
          </p>
          <Retry read={reserves.refetch} />
        </>
      ) : (
        <Pending>
          <Compared reserves={RESERVES} state="backed" updatedAtMs={0} onOpen={() => {}} />
        </Pending>
      )}
      {isOpen && <ProofSheet onClose={() => setOpen(false)} />}
    </section>
  )
}

interface ComparedProps {
  readonly reserves: Reserves
  readonly state: ReservesState
  readonly updatedAtMs: number
}

/** The comparison in two lines, and the button that opens all of it. */
function Compared({ onOpen, ...compared }: ComparedProps & { onOpen: () => void }) {
  return (
    <>
      <Summary {...compared} />
      {compared.state !== 'unchecked' && (
        // Its target is the whole card.
        <button
          type="button"
          onClick={onOpen}
          className="mt-auto flex min-h-11 items-center justify-between gap-2 text-start font-semibold text-accent after:absolute after:inset-0 after:rounded-card"
        >
          {m.proof_open()}
          {/* Home has this icon already: another one would load the code of the icon service. */}
          <Icon name="chevron-left" className="rotate-180" />
        </button>
      )}
    </>
  )
}

/** Red is for prices elsewhere; here it says that money is missing. */
const SEALS = {
  missing: { icon: 'circle-alert', look: 'text-down' },
  ledger: { icon: 'circle-alert', look: 'text-down' },
  old: { icon: 'triangle-alert', look: 'text-warn' },
  failed: { icon: 'circle-alert', look: 'text-warn' },
  unchecked: { icon: 'loader-circle', look: 'text-muted' },
} as const

/** `failed`: the server's comparison could not be read. */
function Seal({ state }: { state: ReservesState | 'failed' }) {
  if (state === 'backed') return <ProofSeal />
  const { icon, look } = SEALS[state]
  return <Icon name={icon} className={cx('size-6', look)} />
}

function Summary({ reserves, state, updatedAtMs }: ComparedProps) {
  const seconds = useAgeSeconds({ data: reserves, dataUpdatedAt: updatedAtMs })
  const ago = formatAgo(seconds ?? 0)
  const { assets, block_number } = reserves
  const shown = assets.find(({ asset }) => asset === HEADLINE_ASSET) ?? assets[0]
  if (state === 'unchecked') return <Line className="text-muted">{m.proof_unchecked()}</Line>
  return (
    <>
      {state === 'missing' && <Line className="text-down">{m.proof_missing({ amount: missingText(reserves) })}</Line>}
      {state === 'ledger' && <Line className="text-down">{m.proof_ledger_fault()}</Line>}
      {state === 'old' && <Line className="text-warn">{m.proof_old({ ago })}</Line>}
      {shown && (
        <>
          <p className="figures" title={`${shown.vault} ${shown.asset}`}>
            {m.proof_holds({ amount: `${amountText(shown, shown.vault)} ${shown.asset}` })}
          </p>
          <p className="figures text-secondary text-muted">
            {m.proof_facts({
              owed: amountText(shown, shown.owed),
              block: formatAmount(String(block_number)),
              ago,
            })}
          </p>
        </>
      )}
    </>
  )
}

function Line({ className, children }: { className: string; children: ReactNode }) {
  return <p className={cx('mb-1 text-secondary', className)}>{children}</p>
}

function Retry({ read }: { read: () => unknown }) {
  const [busy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    await explicitRead(read)
    setBusy(false)
  }
  return (
    <Button look="quiet" icon="refresh-cw" busy={busy} onClick={retry} className="mt-auto mb-3 self-start">
      {m.app_retry()}
    </Button>
  )
}

function amountText({ asset }: { asset: string }, amount: string): string {
  return asset === HEADLINE_ASSET ? formatUsdt(amount) : formatAmount(amount)
}

/** Every missing amount, to the last unit: a cut figure would hide a small one. */
function missingText({ assets }: Reserves): string {
  const missing = assets.filter(({ difference }) => difference.startsWith('-'))
  return formatList(
    missing.map(({ asset, difference }) => `${formatAmount(difference.slice(1), { decimals: 18 })} ${asset}`),
  )
}
