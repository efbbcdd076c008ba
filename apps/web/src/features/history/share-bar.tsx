import { Section } from '@clearwell/ui/components/card.tsx'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import type { ReactNode } from 'react'
import { m } from '../../generated/messages.ts'

export interface BarPart {
  readonly name: string
  /** A fraction of the whole; `null` where it has no price. */
  readonly share: string | null
  readonly value: ReactNode
  readonly detail?: ReactNode
}

const WIDTH = 320
const HEIGHT = 20
/** Space between two parts, so that they differ without their shades. */
const GAP = 2
/** The smallest part is still visible. */
const MIN_WIDTH = 2
const SHADES = ['opacity-100', 'opacity-75', 'opacity-55', 'opacity-40', 'opacity-25'] as const

/** A bar of parts, and under it each part with its share and value. */
export function ShareBar({ title, parts }: { title: string; parts: readonly BarPart[] }) {
  return (
    <Section title={title}>
      <div className="flex flex-col gap-3">
        <Bar parts={parts} />
        <dl className="flex flex-col divide-y divide-line">
          {parts.map((part, i) => (
            <div key={part.name} className="flex min-h-12 items-center gap-3 py-2">
              <svg aria-hidden="true" viewBox="0 0 12 12" className="size-3 shrink-0">
                {part.share !== null && <rect width="12" height="12" rx="3" className={`fill-accent ${shade(i)}`} />}
              </svg>
              <dt className="min-w-0 flex-1">
                {part.name}
                <span className="figures block text-label text-muted">
                  {part.share === null ? m.history_no_price() : formatPercent(part.share, { decimals: 1 })}
                </span>
              </dt>
              <dd className="figures flex shrink-0 flex-col items-end text-end">
                {part.value}
                {part.detail && <span className="text-label text-muted">{part.detail}</span>}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Section>
  )
}

/** Decorative: the list under it has the same figures. */
function Bar({ parts }: { parts: readonly BarPart[] }) {
  let start = 0
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="h-5 w-full">
      <rect width={WIDTH} height={HEIGHT} rx="6" className="fill-line" />
      {parts.map(({ name, share }, i) => {
        // A width on the screen, not money.
        const width = Number(share ?? 0) * WIDTH
        const x = start
        start += width
        if (width === 0) return null
        return (
          <rect
            key={name}
            x={x}
            width={Math.max(width - GAP, MIN_WIDTH)}
            height={HEIGHT}
            rx="3"
            className={`fill-accent ${shade(i)}`}
          />
        )
      })}
    </svg>
  )
}

function shade(index: number): string {
  return SHADES[Math.min(index, SHADES.length - 1)] ?? SHADES[0]
}
