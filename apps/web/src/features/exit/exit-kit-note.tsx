import { ExternalLink } from '@clearwell/ui/components/external-link.tsx'
import { m } from '../../generated/messages.ts'
import { EXIT_KIT, useHasExitKit } from './exit.queries.ts'

/** The exit kit does the same without the server. The link is there where the server has the file. */
export function ExitKitNote() {
  const isThere = useHasExitKit()
  return (
    <p className="text-secondary text-muted">
      {m.exit_kit()}{' '}
      {isThere && (
        <ExternalLink
          href={new URL(EXIT_KIT, location.href).href}
          className="-my-3 inline-block py-3 text-accent underline underline-offset-4"
        >
          {m.exit_kit_open()}
        </ExternalLink>
      )}
    </p>
  )
}
