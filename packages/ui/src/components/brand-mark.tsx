import { cx } from '../browser/cx.ts'

const RIM = <ellipse cx="16" cy="12" rx="9" ry="3.6" />
const WATER = <ellipse cx="16" cy="18" rx="5" ry="1.7" fill="currentColor" stroke="none" />

/**
 * The mark of the product: a well with clear water, as in the favicon. It decorates; the product's name is the text beside
 * it. 24 px high unless `className` says otherwise.
 */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg viewBox="5 5 22 22" aria-hidden="true" className={cx('shrink-0 text-accent', className ?? 'size-6')}>
      <g fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round">
        {RIM}
        <path d="M7 12v8c0 2 4 3.6 9 3.6s9-1.6 9-3.6v-8" />
        {WATER}
      </g>
    </svg>
  )
}

/** The proof seal, the mark with a tick: something can be checked, or is done. */
export function ProofSeal({ className }: { className?: string }) {
  return (
    <svg viewBox="5 6 26 26" aria-hidden="true" className={cx('shrink-0 text-accent', className ?? 'size-6')}>
      <g fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round">
        {RIM}
        <path d="M7 12v8c0 2 4 3.6 9 3.6q1 0 1.6-.1M25 12v4.4" />
        {WATER}
      </g>
      <circle cx="25" cy="24.5" r="6" fill="currentColor" />
      <path
        d="m22.2 24.7 2 2 3.6-4"
        fill="none"
        className="stroke-on-accent"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
