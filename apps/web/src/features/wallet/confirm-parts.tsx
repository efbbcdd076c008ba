import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { cx } from '../../ui/cx.ts'

/** One of the things that happen, in order and in words. */
export function Ask({
  number,
  title,
  quiet = false,
  children,
}: {
  number: number
  title: string
  quiet?: boolean
  children: ReactNode
}) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden="true"
        className={cx(
          'figures flex size-6 shrink-0 items-center justify-center rounded-full border text-label',
          quiet ? 'border-line text-muted' : 'border-accent text-accent',
        )}
      >
        {number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <h3 className={cx('font-semibold', quiet && 'text-muted')}>{title}</h3>
        <div className="text-muted">{children}</div>
      </div>
    </li>
  )
}

/** A whole address: what is signed is never shortened. */
export function WholeAddress({ label, text, copyLabel }: { label: string; text: string; copyLabel: string }) {
  return (
    <div className="flex items-center gap-2">
      <div className="flex min-w-0 flex-1 flex-col">
        <span className="text-label text-muted">{label}</span>
        <span className="font-mono text-label text-balance break-all">{text}</span>
      </div>
      <span className="-my-1 -me-2">
        <CopyButton text={text} label={copyLabel} />
      </span>
    </div>
  )
}
