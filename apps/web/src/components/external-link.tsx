import type { ReactNode } from 'react'
import { externalUrl } from '../browser/external-url.ts'

/** The one way out of the app: to another site, in a tab of its own, which learns nothing of this one. */
export function ExternalLink({
  href,
  className,
  label,
  children,
}: {
  href: string
  className?: string
  label?: string
  children: ReactNode
}) {
  const url = externalUrl(href)
  // Refused: its text stays, and leads nowhere.
  if (url === undefined) return <span className={className}>{children}</span>
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" aria-label={label} className={className}>
      {children}
    </a>
  )
}
