import type { Config } from '../../api/config.ts'
import { Card } from '../../components/card.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { HashText } from '../../components/hash-text.tsx'
import { m } from '../../generated/paraglide/messages.js'

/** The hashes of a transfer and its order: to copy, and to open in the block explorer. */
export function TransferHashes({
  config,
  orderId,
  hash,
  approveHash,
  more = [],
}: {
  config: Config
  orderId: string
  hash: string | null | undefined
  approveHash?: string | undefined
  more?: readonly { label: string; value: string }[]
}) {
  const explorer = config.chain.explorer_url
  const hashFact = (label: string, of: string, copyLabel: string, link: string | null) => ({
    label,
    value: <HashText hash={of} explorer={link} copyLabel={copyLabel} />,
  })
  return (
    <Card className="py-1.5">
      <FactList
        facts={[
          ...more,
          ...(hash ? [hashFact(m.wallet_deposit_hash(), hash, m.wallet_copy_hash(), explorer)] : []),
          ...(approveHash
            ? [hashFact(m.wallet_approve_hash(), approveHash, m.wallet_copy_approve_hash(), explorer)]
            : []),
          hashFact(m.wallet_order_id(), orderId, m.wallet_copy_order(), null),
        ]}
      />
    </Card>
  )
}
