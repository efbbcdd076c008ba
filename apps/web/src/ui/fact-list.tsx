import type { ReactNode } from 'react'

/** Names and values, one pair to a line: the terms of a confirmation, the figures of an order. */
export function FactList({ facts }: { facts: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className="flex flex-col divide-y divide-line">
      {facts.map(({ label, value }) => (
        <div key={label} className="flex items-baseline justify-between gap-4 py-2.5">
          <dt className="shrink-0 text-muted">{label}</dt>
          <dd className="figures min-w-0 text-end [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
