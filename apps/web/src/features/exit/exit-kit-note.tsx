import { Card } from '@clearwell/ui/components/card.tsx'
import { ExternalLink } from '@clearwell/ui/components/external-link.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { EXIT_KIT, useHasExitKit } from './exit.queries.ts'
import { kitAddress } from './kit-address.ts'
import { ProofDownload } from './proof-download.tsx'

/**
 * The exit kit does the same without the server. The link is there where the server has the file, and fills in the account. The kit
 * needs the account's proof too.
 *
 * @param vault that of an open exit, if it is not that of the configuration.
 */
export function ExitKitNote({ vault }: { vault?: string | undefined }) {
  const isThere = useHasExitKit()
  const config = useConfig()
  const { user } = useAccount()
  const known = config && user && { chain: config.chain.id, vault: vault ?? config.vault, account: user.address }
  return (
    <Card title={m.exit_kit_title()}>
      <p className="text-secondary text-muted">
        {m.exit_kit()}{' '}
        {isThere && (
          <ExternalLink
            href={new URL(kitAddress(EXIT_KIT, known), location.href).href}
            className="-my-3 inline-block py-3 text-accent underline underline-offset-4"
          >
            {m.exit_kit_open()}
          </ExternalLink>
        )}
      </p>
      {user && <ProofDownload />}
    </Card>
  )
}
