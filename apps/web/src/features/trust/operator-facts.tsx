import { ExternalLink } from '@clearwell/ui/components/external-link.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { formatDay } from '@clearwell/ui/i18n/format-date.ts'
import type { Config } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'

/** A server of the version before states nothing. */
const NOTHING_STATED = { name: null, place: null, audits: [] }

/** The operator's statements about itself. What it did not state is said, not left out. */
export function OperatorFacts({ config }: { config: Config }) {
  const { name, place, audits = [] } = config.operator ?? NOTHING_STATED
  const { contact = null, terms = null, help = null } = config
  return (
    <>
      <FactList
        facts={[
          { label: m.trust_name(), value: name ?? m.trust_not_stated() },
          { label: m.trust_place(), value: place ?? m.trust_not_stated() },
          {
            label: m.trust_contact(),
            value: contact?.startsWith('https://') ? <Page href={contact} /> : (contact ?? m.trust_not_stated()),
          },
          { label: m.trust_terms(), value: terms === null ? m.trust_none_given() : <Page href={terms.url} /> },
          { label: m.trust_help(), value: help === null ? m.trust_none_given() : <Page href={help} /> },
          { label: m.trust_audits(), value: audits.length === 0 ? m.trust_no_audits() : <Audits audits={audits} /> },
        ]}
      />
      {name === null && <p className="pb-3 text-warn">{m.trust_unnamed()}</p>}
      <p className="text-secondary text-muted">
        {audits.length === 0 ? m.trust_no_audits_text() : m.trust_audits_text()}
      </p>
    </>
  )
}

function Audits({ audits }: { audits: Config['operator']['audits'] }) {
  return (
    <ul className="flex flex-col gap-2">
      {audits.map(({ name, date, url }) => (
        <li key={url}>
          <ExternalLink href={url} className="underline">
            {name}
          </ExternalLink>{' '}
          {formatDay(date)}
        </li>
      ))}
    </ul>
  )
}

function Page({ href }: { href: string }) {
  return (
    <ExternalLink href={href} className="underline">
      {href.replace('https://', '')}
    </ExternalLink>
  )
}
