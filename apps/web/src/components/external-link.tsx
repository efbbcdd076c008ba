import type { ReactNode } from 'react'

/** The only link out of the app: opens another site in its own tab, without a referrer. */
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
 * A complete `http` or `https` address; `undefined` for everything else: `javascript:` and its like run code or show
 * foreign content under our name (specification §8).
 */
export function externalUrl(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined
  const url = new URL(href)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined
}
