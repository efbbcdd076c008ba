import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { m } from '../../generated/messages.ts'
import type { Exit } from './exit.queries.ts'

/** Advances for payments of the vault that were higher than the account's balance. */
export function OwedAdvances({ owed }: { owed: Exit['owed'] }) {
  if (owed.length === 0) return null
  return (
    <Section title={m.exit_owed()}>
      <ul className="flex flex-col gap-1">
        {owed.map(({ asset, amount }) => (
          <li key={asset}>
            <AmountText amount={amount} asset={asset} className="font-semibold" />
          </li>
        ))}
      </ul>
      <p className="mt-2 text-secondary text-muted">{m.exit_owed_text()}</p>
    </Section>
  )
}
