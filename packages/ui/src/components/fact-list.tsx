import type { ReactNode } from 'react'

/**
 * Names and values, one pair to a line: the terms of a confirmation, the figures of an order. A value gives way before
 * its name does; one that cannot be broken makes the name wrap. However large the text is, it has room for a word.
 */
export function FactList({ facts }: { facts: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className="flex flex-col divide-y divide-line">
      {facts.map(({ label, value }) => (
        <div key={label} className="flex items-baseline justify-between gap-4 py-3 max-magnified:flex-wrap">
          <dt className="beside-value shrink text-pretty max-magnified:max-w-full text-muted">{label}</dt>
          <dd className="figures shrink-100000 text-end text-phrases">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
