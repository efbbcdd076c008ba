import { m } from '../generated/messages.ts'
import { shortHex } from '../i18n/format.ts'
import { Icon } from '../icons/icon.tsx'
import { CopyButton } from './copy-button.tsx'
import { ExternalLink } from './external-link.tsx'

/**
 * A hash in short: to copy whole, and to open in the block explorer where the chain has one.
 *
 * @param explorer the explorer's address, to which the hash is added.
 * @param link the transaction's own address there, where the server gives it.
 */
export function HashText({
  hash,
  explorer = null,
  link = explorer && `${explorer.replace(/\/$/, '')}/tx/${hash}`,
  copyLabel,
}: {
  hash: string
  explorer?: string | null
  link?: string | null
  copyLabel: string
}) {
  return (
    <span className="-my-2.5 -me-2 inline-flex items-center whitespace-nowrap" title={hash}>
      <span className="font-mono text-label">{shortHex(hash)}</span>
      <CopyButton text={hash} label={copyLabel} />
      {link && (
        <ExternalLink
          href={link}
          label={m.ui_open_explorer()}
          className="inline-flex size-11 shrink-0 items-center justify-center rounded-control text-muted hover:text-text"
        >
          <Icon name="external-link" />
        </ExternalLink>
      )}
    </span>
  )
}
