import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Waiting } from '@clearwell/ui/components/stage-parts.tsx'
import type { Signed } from '@clearwell/verify/verify-balance'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { isFinalRefusal } from '../../api/api-error.ts'
import { useConfig } from '../../api/config.ts'
import { useCall } from '../../api/use-call.ts'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { HeaderFacts } from './balance/header-facts.tsx'
import { Note } from './check-note.tsx'
import { SIGNED_HEADER } from './proof.samples.ts'

/** The entry whose header is shown; without it the newest header. */
export interface ShownHeader {
  readonly entry?: string
}

/** `?entry=…` is the number of a ledger entry of the user. */
function readShownHeader({ entry }: Record<string, unknown>): ShownHeader {
  return /^\d{1,15}$/.test(String(entry)) ? { entry: String(entry) } : {}
}

/** As high as its longest text, so that the figures below keep their place. */
const OUTCOME_CLASS = 'flex min-h-52 flex-col items-center justify-center text-center text-phrases'

/** The first header that contains an entry of the user, or the newest one: its figures, and whether hash and signature are right. */
export default function HeaderScreen() {
  const { entry } = useReadSearch(readShownHeader)
  const { signedIn } = useAccount()
  const config = useConfig()
  const ofEntry = useCall('proofEntry', { entry: Number(entry ?? 0) }, { enabled: entry !== undefined })
  const newest = useCall('proofHeader', {}, { enabled: entry === undefined })
  const { data, error, isError, refetch } = entry === undefined ? newest : ofEntry
  return <Screen title={m.title_wallet_header()}>{content()}</Screen>

  function content(): ReactNode {
    if (entry !== undefined && !signedIn) return <SignedOut icon="badge-check" title={m.proof_header_signed_out()} />
    const text = entry === undefined ? m.proof_header_newest() : m.proof_header_of_entry({ entry })
    if (data) return <ShownHeaderFacts signed={data} text={text} />
    if (config?.proof_keys === null)
      return <EmptyState icon="badge-check" title={m.proof_header_unchecked()} text={m.proof_balance_unknown_off()} />
    if (isFinalRefusal(error) && error.codeName === 'not_found')
      return <EmptyState icon="badge-check" title={m.proof_header_none()} text={m.proof_header_none_text()} />
    if (isError) return <ErrorState error={error} onRetry={refetch} />
    return (
      <Pending>
        <p className="text-muted">{text}</p>
        <div className={OUTCOME_CLASS} />
        <HeaderFacts signed={SIGNED_HEADER} signer={undefined} />
      </Pending>
    )
  }
}

function ShownHeaderFacts({ signed, text }: { signed: Signed; text: string }) {
  const config = useConfig()
  // A server of the version before publishes no keys.
  const keys = config?.proof_keys ?? undefined
  const check = useQuery({
    queryKey: ['headerCheck', signed.hash, keys?.root],
    queryFn: async () => {
      const { verifyHeader } = await import('@clearwell/verify/verify-balance')
      const domain = { chainId: config?.chain.id ?? 0, vault: config?.vault ?? '' }
      return verifyHeader(signed, { domain, keys: { root: keys?.root ?? [], bookkeepers: keys?.bookkeepers ?? [] } })
    },
    enabled: keys !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data } = check
  return (
    <>
      <p className="text-muted">{text}</p>
      <div role="status" className={OUTCOME_CLASS}>
        {config && !keys ? (
          <Note tone="unknown" title={m.proof_header_unchecked()} text={m.proof_header_unchecked_text()} />
        ) : !data ? (
          <Waiting text={m.proof_header_checking()} />
        ) : 'fault' in data ? (
          <Note tone="fault" title={m.proof_header_wrong()} text={m.proof_header_wrong_text()} />
        ) : (
          <Note tone="done" title={m.proof_header_right()} text={m.proof_header_right_text()} />
        )}
      </div>
      <HeaderFacts signed={signed} signer={data && 'signer' in data ? data.signer : undefined} />
      <p className="text-secondary text-muted">{m.proof_header_limit()}</p>
    </>
  )
}
