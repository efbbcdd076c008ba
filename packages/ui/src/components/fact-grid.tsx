import type { ReactNode } from 'react'

/** Names above their values, two pairs to a line: the figures of a card in a list, where `FactList` would be too long. */
export function FactGrid({ facts }: { facts: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-3 gap-y-2 border-t border-line pt-3">
      {facts.map(({ label, value }) => (
        <div key={label} className="flex min-w-0 flex-col">
          <dt className="text-label text-muted">{label}</dt>
          <dd className="figures text-secondary">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
