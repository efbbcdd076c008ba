import { ExternalLink } from '@clearwell/ui/components/external-link.tsx'
import { useState } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { useConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'

interface Terms {
  /** Goes with the command. Empty where the operator has no terms. */
  readonly payload: { readonly terms_version?: string }
  /** True while the user has to accept first. */
  readonly isOpen: boolean
  /** The user has accepted these terms with an earlier command. */
  readonly isStored: boolean
  readonly terms: { readonly version: string; readonly url: string } | null
  readonly setChecked: (version: string | undefined) => void
}

/** The operator's terms at an activation: the user accepts them once, and a new version again. */
export function useTerms(): Terms {
  const terms = useConfig()?.terms ?? null
  const { user } = useAccount()
  const [checked, setChecked] = useState<string>()
  const isStored = terms === null || user?.terms?.version === terms.version
  return {
    payload: terms === null ? {} : { terms_version: terms.version },
    isOpen: !isStored && checked !== terms?.version,
    isStored,
    terms,
    setChecked,
  }
}

/** The checkbox, with the link to the text. Nothing where there is nothing to accept. */
export function TermsCheck({ terms, isStored, isOpen, setChecked }: Terms) {
  if (terms === null || isStored) return null
  return (
    <div className="flex flex-col">
      <ExternalLink href={terms.url} className="min-h-11 content-center underline underline-offset-2">
        {m.activation_terms_read({ version: terms.version })}
      </ExternalLink>
      <label className="flex min-h-11 items-start gap-3 py-2">
        <input
          type="checkbox"
          checked={!isOpen}
          onChange={(event) => setChecked(event.target.checked ? terms.version : undefined)}
          className="mt-0.5 size-5 shrink-0 accent-accent"
        />
        {m.activation_terms_accept()}
      </label>
    </div>
  )
}
