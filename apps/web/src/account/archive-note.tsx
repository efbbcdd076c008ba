import { formatDate } from '@clearwell/ui/i18n/format-date.ts'
import { m } from '../generated/messages.ts'

/** Ends a list of the user's entries whose older ones are in an archive. */
export function ArchiveNote({ until }: { until: string | null | undefined }) {
  // A server of the version before has no such field.
  if (!until) return null
  return (
    <p className="py-4 text-center text-secondary text-muted text-phrases">
      {m.account_archived({ date: formatDate(until) })}
    </p>
  )
}
