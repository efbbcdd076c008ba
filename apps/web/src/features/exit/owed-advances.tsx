import type { AssetId } from '@clearwell/money/asset'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { m } from '../../generated/messages.ts'
import type { Exit } from './exit.queries.ts'

type Amounts = readonly { readonly asset: AssetId; readonly amount: string }[]

/** Advances for payments of the vault that were higher than the account's balance, and the balance that they lock. */
export function OwedAdvances({ owed, locked = [] }: { owed: Exit['owed']; locked?: Amounts }) {
  if (owed.length === 0) return null
  return (
    <Section title={m.exit_owed()}>
      <FactList
        facts={[
          { label: m.exit_owed_amount(), value: <AmountLines amounts={owed} /> },
          ...(locked.length > 0 ? [{ label: m.exit_owed_locked(), value: <AmountLines amounts={locked} /> }] : []),
        ]}
      />
      <p className="mt-2 text-secondary text-muted">{m.exit_owed_text()}</p>
    </Section>
  )
}

function AmountLines({ amounts }: { amounts: Amounts }) {
  return (
    <span className="flex flex-col items-end font-semibold">
      {amounts.map(({ asset, amount }) => (
        <AmountText key={asset} amount={amount} asset={asset} />
      ))}
    </span>
  )
}
