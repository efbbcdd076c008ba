import { Warning } from '@clearwell/ui/components/stage-parts.tsx'
import type { Config } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import type { Exit, ExitClaims } from './exit.queries.ts'

/**
 * Returns the vault of an exit if the ledger has left it. An exit stays at the vault where it was requested, so its transactions go there.
 *
 * @param of a server of before this version names no vault: then the ledger has not moved with an open exit.
 */
export function formerVaultOf(
  { vault }: { readonly vault?: Exit['vault'] | ExitClaims['vault'] },
  config: Pick<Config, 'vault'>,
): string | undefined {
  return vault && vault.toLowerCase() !== config.vault.toLowerCase() ? vault : undefined
}

/** Says that the exit is at a vault that the ledger has left, and what that means. */
export function FormerVault({ vault }: { vault: string | undefined }) {
  return vault === undefined ? null : (
    <Warning
      title={m.exit_former()}
      text={
        <>
          {m.exit_former_text()}
          <span className="mt-2 block font-mono text-label break-all">{vault}</span>
        </>
      }
    />
  )
}

/** The fact of a confirmation that names the vault which the transaction goes to. Without a move every transaction goes to the same one. */
export function formerVaultFacts(vault: string | undefined) {
  return vault === undefined
    ? []
    : [{ label: m.exit_former_vault(), value: <span className="font-mono text-label break-all">{vault}</span> }]
}
