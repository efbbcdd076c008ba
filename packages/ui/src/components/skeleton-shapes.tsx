import type { ReactNode } from 'react'
import { cx } from '../browser/cx.ts'
import { m } from '../generated/messages.ts'
import { Skeleton } from './skeleton.tsx'

/** The shapes of what is loading: each has the size of the part that comes, so that nothing moves. */

/** Says that its skeletons are loading. Give it the gaps of the content that comes. */
export function Loading({
  label = m.app_loading(),
  className,
  children,
}: {
  label?: string
  className?: string
  children: ReactNode
}) {
  return (
    <div role="status" aria-label={label} className={cx('flex flex-col', className)}>
      {children}
    </div>
  )
}

/** Rows of a list, each with two lines, figures at its end, and a round mark at its start if the rows have one. */
export function RowsSkeleton({ count = 4, mark = false }: { count?: number; mark?: boolean }) {
  return (
    <div className="flex flex-col divide-y divide-line">
      {Array.from({ length: count }, (_, row) => (
        <div key={row} className="flex min-h-16 items-center gap-3 py-2">
          {mark && <Skeleton className="size-9 shrink-0 rounded-full" />}
          <span className="flex min-w-0 flex-1 flex-col gap-2">
            <Skeleton className="h-4 w-28 max-w-full" />
            <Skeleton className="h-3 w-20 max-w-full" />
          </span>
          <span className="flex shrink-0 flex-col items-end gap-2">
            <Skeleton className="h-4 w-20" />
            <Skeleton className="h-3 w-12" />
          </span>
        </div>
      ))}
    </div>
  )
}

/** The lines of a `FactList`: a name at the start, a value at the end. */
export function FactsSkeleton({ count = 3 }: { count?: number }) {
  return (
    <div className="flex flex-col divide-y divide-line">
      {Array.from({ length: count }, (_, row) => (
        <div key={row} className="flex h-11.5 items-center justify-between gap-4">
          <Skeleton className="h-4 w-28" />
          <Skeleton className="h-4 w-20" />
        </div>
      ))}
    </div>
  )
}

const FIGURES = { section: 'h-6 w-32', amount: 'h-9 w-40', total: 'h-11 w-48' } as const

/** A figure under its label. */
export function FigureSkeleton({ size = 'amount' }: { size?: keyof typeof FIGURES }) {
  return (
    <div className="flex flex-col gap-1">
      <Skeleton className="my-0.5 h-3 w-20" />
      <Skeleton className={FIGURES[size]} />
    </div>
  )
}

/** Three figures beside each other in a card, each under its label. */
export function PartsSkeleton() {
  return (
    <div className="grid grid-cols-3 divide-x divide-line rounded-card border border-line bg-surface py-3">
      {['available', 'locked', 'in use'].map((part) => (
        <div key={part} className="flex flex-col gap-1 px-3 narrow:px-4">
          <Skeleton className="my-0.5 h-3 w-12" />
          <Skeleton className="my-0.5 h-3.5 w-20 max-w-full" />
        </div>
      ))}
    </div>
  )
}

/** A paragraph. */
export function TextSkeleton({ lines = 2 }: { lines?: number }) {
  return (
    <div className="flex flex-col gap-2">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} className={cx('h-3.5', line === lines - 1 ? 'w-2/3' : 'w-full')} />
      ))}
    </div>
  )
}

/** A drawing from edge to edge under its two figures. */
export function ChartSkeleton({ height }: { height: string }) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex justify-between gap-4">
        <Skeleton className="my-0.5 h-3 w-24" />
        <Skeleton className="my-0.5 h-3 w-24" />
      </div>
      <div className={cx('relative -mx-4 overflow-hidden', height)}>
        <CurveSkeleton />
      </div>
    </div>
  )
}

/** A line with its area, in the whole of its box. */
function CurveSkeleton() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 400 200"
      preserveAspectRatio="none"
      className="absolute inset-0 size-full fill-line"
    >
      <path d={CURVE} opacity="0.6" />
    </svg>
  )
}

const CURVE = 'M0 120C50 60 80 70 120 100S190 160 240 110S320 60 400 70V200H0Z'

/** A card around the shapes of its content. */
export function CardSkeleton({ title = false, children }: { title?: boolean; children: ReactNode }) {
  return (
    <div className="rounded-card border border-transparent bg-surface p-4 light:border-line">
      {title && <Skeleton className="mb-3 h-5 w-32" />}
      {children}
    </div>
  )
}

/** An amount field: its label, the field and the chips below it. */
export function AmountFieldSkeleton() {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex justify-between gap-3">
        <Skeleton className="my-0.5 h-3 w-16" />
        <Skeleton className="my-0.5 h-3 w-24" />
      </div>
      <span className="h-14.5 rounded-control bg-input" />
      <div className="flex gap-2">
        {['25', '50', '75', 'max'].map((chip) => (
          <span key={chip} className="h-11 flex-1 rounded-control bg-input" />
        ))}
      </div>
      <span className="h-4" />
    </div>
  )
}

/** A segmented control. */
export function ControlSkeleton() {
  return <span aria-hidden="true" className="block h-13 rounded-control bg-input light:bg-line" />
}
