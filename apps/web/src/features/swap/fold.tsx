import { Icon } from '@clearwell/ui/icons/icon.tsx'
import type { ReactNode } from 'react'

/** Details that open on a press. The browser's own disclosure: keys and screen readers know it. */
export function Fold({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details className="group">
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-2 text-muted [&::-webkit-details-marker]:hidden">
        {label}
        <Icon name="chevron-right" className="size-4 rotate-90 transition-transform group-open:-rotate-90" />
      </summary>
      {children}
    </details>
  )
}
