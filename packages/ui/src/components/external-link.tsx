import type { ReactNode } from 'react'

/** Protocols of wallet apps: WalletConnect and TokenPocket. Add one when a wallet is offered that needs it. */
const APP_PROTOCOLS = ['wc:', 'tpdapp:']

/**
 * The only link out of the app: opens another site in a new tab, without a referrer, or a wallet app from this one.
 */
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
    <a
      href={url}
      // An app would leave an empty tab behind.
      target={isAppUrl(url) ? undefined : '_blank'}
      rel="noopener noreferrer"
      aria-label={label}
      className={className}
    >
      {children}
    </a>
  )
}

/**
 * A complete address of a site (`http`, `https`) or of a wallet app; `undefined` for everything else: `javascript:` and
 * similar protocols run code or show foreign content under our name (specification §8).
 */
export function externalUrl(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined
  const { protocol, href: url } = new URL(href)
  return protocol === 'https:' || protocol === 'http:' || isAppUrl(url) ? url : undefined
}

function isAppUrl(url: string): boolean {
  return APP_PROTOCOLS.some((protocol) => url.startsWith(protocol))
}
