import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { HashText } from '@clearwell/ui/components/hash-text.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import type { Signed } from '@clearwell/verify/verify-balance'
import { useConfig } from '../../../api/config.ts'
import { m } from '../../../generated/messages.ts'

/**
 * A header in figures: its number, time and hash, its last entry, and who has signed it. The row of a `signer` that is not
 * known yet keeps its place.
 */
export function HeaderFacts({ signed, signer }: { signed: Signed; signer: string | undefined }) {
  const explorer = useConfig()?.chain.explorer_url ?? null
  const { number, hash, header, signatures, tx_hash } = signed
  return (
    <FactList
      facts={[
        { label: m.proof_header_number(), value: formatAmount(number) },
        { label: m.proof_header_time(), value: formatDateTime(new Date(header.cursorTime * 1_000).toISOString()) },
        { label: m.proof_header_entry(), value: formatAmount(header.ledgerSeq) },
        { label: m.proof_header_hash(), value: <HashText hash={hash} copyLabel={m.proof_header_copy_hash()} /> },
        {
          label: m.proof_header_signer(),
          value:
            signer === undefined ? (
              <span className="text-muted">{m.proof_header_signer_unknown()}</span>
            ) : (
              <HashText hash={signer} copyLabel={m.proof_header_copy_signer()} />
            ),
        },
        {
          label: m.proof_header_bookkeeper(),
          value: signatures.bookkeeper === null ? m.proof_header_no_bookkeeper() : m.proof_header_has_bookkeeper(),
        },
        {
          label: tx_hash === null ? m.proof_header_chain() : m.proof_header_on_chain(),
          value:
            tx_hash === null ? (
              m.proof_header_not_on_chain()
            ) : (
              <HashText hash={tx_hash} explorer={explorer} copyLabel={m.payment_copy_hash()} />
            ),
        },
      ]}
    />
  )
}
