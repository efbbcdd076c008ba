import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { ExternalLink } from '@clearwell/ui/components/external-link.tsx'
import { useConfig } from '../api/config.ts'
import { m } from '../generated/messages.ts'

/** How users reach the operator: a link to a page, or an e-mail address to copy. Says so where the operator has stated none. */
export function OperatorContact() {
  const config = useConfig()
  if (!config) return null
  // A server of the version before has no such field.
  const contact = config.contact ?? null
  if (contact === null) return <p>{m.account_contact_none()}</p>
  return (
    <dl className="flex flex-wrap items-center gap-x-2">
      <dt>{m.account_contact()}</dt>
      <dd className="flex min-w-0 items-center gap-1 font-semibold [overflow-wrap:anywhere]">
        {contact.startsWith('https://') ? (
          <ExternalLink href={contact} className="underline">
            {contact}
          </ExternalLink>
        ) : (
          <>
            {contact}
            <CopyButton text={contact} label={m.account_contact_copy()} />
          </>
        )}
      </dd>
    </dl>
  )
}
