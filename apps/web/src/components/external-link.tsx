import type { ReactNode } from 'react'

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

/**
 * An address that may be followed out of the app: of the web, and whole. `undefined` for everything else: `javascript:`
 * and its like run code or show what somebody made up under our name (specification §8).
 */
export function externalUrl(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined
  const url = new URL(href)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined
}
