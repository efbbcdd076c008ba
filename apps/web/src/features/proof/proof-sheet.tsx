import { formatUnits } from '@clearwell/money/decimal'
import { cx } from '@clearwell/ui/browser/cx.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { explicitRead } from '@clearwell/ui/components/explicit-read.ts'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { HashText } from '@clearwell/ui/components/hash-text.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Sheet, SheetFoot } from '@clearwell/ui/components/sheet.tsx'
import { formatAgo, formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { m } from '../../generated/messages.ts'
import type { VaultReading } from '../../wallet/read-vault.ts'
import { Note, Points, type Tone } from './check-note.tsx'
import { type AssetComparison, compareAssets, judge, type Verdict } from './compare-reserves.ts'
import { type Reserves, useAgeSeconds } from './proof.queries.ts'
import { RESERVES } from './proof.samples.ts'
import { useProof } from './use-proof.ts'

/** Compares the server's figures with the browser's own reading of the chain, and says what a match proves. */
export default function ProofSheet({ onClose }: { onClose: () => void }) {
  const { config, reserves, reading } = useProof()
  const [busy, setBusy] = useState(false)
  const { data } = reserves
  const node = config ? new URL(config.chain.rpc_url).host : ''
  const again = async () => {
    setBusy(true)
    await explicitRead(reserves.refetch)
    setBusy(false)
  }
  const block = blockText(data?.block_number ?? 0)
  return (
    <Sheet
      title={m.proof_sheet_title()}
      text={data?.block_number == null ? undefined : m.proof_sheet_text({ node, block })}
      onClose={onClose}
    >
      {data?.block_number == null ? (
        reserves.isError ? (
          <ErrorState error={reserves.error} onRetry={reserves.refetch} />
        ) : data ? (
          <p className="text-muted">{m.proof_unchecked()}</p>
        ) : (
          <Pending>
            <Outcome reserves={RESERVES} reading={undefined} isAbsent={false} node={node} />
            <Comparison reserves={RESERVES} reading={undefined} isReading={false} />
            <Details reserves={RESERVES} updatedAtMs={0} vault={config?.vault ?? ''} explorer={null} />
            <Meaning />
          </Pending>
        )
      ) : (
        <>
          <Outcome reserves={data} reading={reading.data} isAbsent={reading.isError} node={node} />
          <Comparison reserves={data} reading={reading.data} isReading={reading.isPending} />
          <Details
            reserves={data}
            updatedAtMs={reserves.dataUpdatedAt}
            vault={config?.vault ?? ''}
            explorer={config?.chain.explorer_url ?? null}
          />
          <Meaning />
        </>
      )}
      <SheetFoot>
        <Button look="quiet" icon="refresh-cw" busy={busy || reading.isFetching} onClick={again}>
          {m.proof_again()}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

const VERDICT_TONES: Record<Verdict, Tone> = {
  confirmed: 'done',
  short: 'fault',
  other_balances: 'fault',
  other_block: 'fault',
  later: 'unknown',
  behind: 'unknown',
}

function Outcome({
  reserves,
  reading,
  isAbsent,
  node,
}: {
  reserves: Reserves
  reading: VaultReading | undefined
  isAbsent: boolean
  node: string
}) {
  const block = blockText(reserves.block_number ?? 0)
  const verdict = reading && judge(reserves, reading)
  return (
    <div role="status" className="flex min-h-48 shrink-0 flex-col items-center justify-center text-center text-phrases">
      {reading && verdict ? (
        <Note tone={VERDICT_TONES[verdict]} {...verdictTexts(verdict, { block, latest: blockText(reading.readAt) })} />
      ) : isAbsent ? (
        <Note tone="unknown" title={m.proof_absent()} text={m.proof_absent_text({ node })} />
      ) : (
        <p className="flex flex-col items-center gap-3 text-muted">
          <Icon name="loader-circle" className="size-8 animate-spin text-accent" />
          {m.proof_reading()}
        </p>
      )}
    </div>
  )
}

function verdictTexts(verdict: Verdict, { block, latest }: { block: string; latest: string }) {
  const texts: Record<Verdict, () => { title: string; text: string }> = {
    confirmed: () => ({ title: m.proof_confirmed(), text: m.proof_confirmed_text() }),
    short: () => ({ title: m.proof_short(), text: m.proof_short_text() }),
    other_balances: () => ({ title: m.proof_other_balances(), text: m.proof_other_balances_text() }),
    other_block: () => ({ title: m.proof_other_block(), text: m.proof_other_block_text({ block }) }),
    later: () => ({ title: m.proof_later(), text: m.proof_later_text({ block, latest }) }),
    behind: () => ({ title: m.proof_behind(), text: m.proof_behind_text({ block, latest }) }),
  }
  return texts[verdict]()
}

function Comparison({
  reserves,
  reading,
  isReading,
}: {
  reserves: Reserves
  reading: VaultReading | undefined
  isReading: boolean
}) {
  if (reserves.assets.length === 0) return <p className="text-down">{m.proof_ledger_fault()}</p>
  return (
    <ul className="flex flex-col divide-y divide-line">
      {compareAssets(reserves, reading).map((each) => (
        <li key={each.asset} className="py-2">
          <AssetRows comparison={each} isReading={isReading} isSameBlock={reading?.readAt === reserves.block_number} />
        </li>
      ))}
    </ul>
  )
}

function AssetRows({
  comparison: { asset, owed, vault, read, apart, surplus },
  isReading,
  isSameBlock,
}: {
  comparison: AssetComparison
  isReading: boolean
  isSameBlock: boolean
}) {
  const exact = (units: bigint) =>
    `${formatAmount(formatUnits(units < 0n ? -units : units, 18), { decimals: 18 })} ${asset}`
  const isApart = apart !== 0n
  return (
    <section aria-label={asset}>
      <header className="flex min-h-8 items-center justify-between gap-3">
        <h3 className="text-section">{asset}</h3>
        {read !== undefined && (
          <span className={cx('text-secondary', !isApart ? 'text-muted' : isSameBlock ? 'text-down' : 'text-warn')}>
            {isApart ? m.proof_differs({ amount: exact(apart) }) : m.proof_same()}
          </span>
        )}
      </header>
      <dl className="text-secondary">
        <Figure label={m.proof_owed()}>
          <AmountText isPublic amount={owed} />
        </Figure>
        <Figure label={m.proof_vault()}>
          <AmountText isPublic amount={vault} />
        </Figure>
        <Figure label={m.proof_read()}>
          {read !== undefined ? (
            <AmountText isPublic amount={read} className={isApart && isSameBlock ? 'text-down' : ''} />
          ) : isReading ? (
            <Pending>
              <AmountText isPublic amount={vault} />
            </Pending>
          ) : (
            <span className="text-muted">{m.proof_not_read()}</span>
          )}
        </Figure>
      </dl>
      {surplus > 0n && <p className="text-secondary text-muted">{m.proof_surplus({ amount: exact(surplus) })}</p>}
      {surplus < 0n && <p className="text-secondary text-down">{m.proof_missing({ amount: exact(surplus) })}</p>}
    </section>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-7 items-center justify-between gap-4">
      <dt className="text-muted">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Details({
  reserves,
  updatedAtMs,
  vault,
  explorer,
}: {
  reserves: Reserves
  updatedAtMs: number
  vault: string
  explorer: string | null
}) {
  const seconds = useAgeSeconds({ data: reserves, dataUpdatedAt: updatedAtMs })
  const { block_number, block_hash, block_time, ledger_seq, entry_hash } = reserves
  const at = (path: string) => explorer && `${explorer.replace(/\/$/, '')}/${path}`
  return (
    <section aria-label={m.proof_details()}>
      <h3 className="text-section">{m.proof_details()}</h3>
      <FactList
        facts={[
          { label: m.proof_compared(), value: formatAgo(seconds ?? 0) },
          { label: m.proof_block(), value: blockText(block_number ?? 0) },
          {
            label: m.proof_block_hash(),
            value: (
              <HashText
                hash={block_hash ?? ''}
                link={at(`block/${block_number}`)}
                copyLabel={m.proof_copy_block_hash()}
              />
            ),
          },
          { label: m.proof_block_time(), value: formatDateTime(block_time ?? '') },
          { label: m.proof_entry(), value: blockText(ledger_seq ?? 0) },
          {
            label: m.proof_entry_hash(),
            value: <HashText hash={entry_hash ?? ''} copyLabel={m.proof_copy_entry_hash()} />,
          },
          {
            label: m.proof_vault_address(),
            value: <HashText hash={vault} link={at(`address/${vault}`)} copyLabel={m.proof_copy_vault()} />,
          },
        ]}
      />
    </section>
  )
}

function Meaning() {
  return (
    <>
      <Points title={m.proof_proves()} icon="check" points={[m.proof_proves_held(), m.proof_proves_covered()]} />
      <Points
        title={m.proof_proves_not()}
        icon="x"
        points={[m.proof_not_yours(), m.proof_not_node(), m.proof_not_rt()]}
      />
    </>
  )
}

function blockText(block: number): string {
  return formatAmount(String(block))
}
