import { m } from '../../generated/paraglide/messages.js'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { shortHex } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'

/** A hash in short: to copy whole, and to open in the block explorer where the chain has one. */
export function HashText({ hash, explorer, copyLabel }: { hash: string; explorer: string | null; copyLabel: string }) {
  return (
    <span className="-my-2.5 -me-2 inline-flex items-center" title={hash}>
      <span className="font-mono text-label">{shortHex(hash)}</span>
      <CopyButton text={hash} label={copyLabel} />
      {explorer && (
        <ExternalLink
          href={`${explorer.replace(/\/$/, '')}/tx/${hash}`}
          label={m.wallet_open_explorer()}
          className="inline-flex size-11 items-center justify-center rounded-control text-muted hover:text-text"
        >
          <Icon name="external-link" />
        </ExternalLink>
      )}
    </span>
  )
}
