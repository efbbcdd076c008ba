import { ASSET_DECIMALS, isAssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { m } from '../../../generated/messages.ts'
import { HeaderFacts } from './header-facts.tsx'
import type { KeptCheck } from './kept-check.ts'

/** The balance that a check has proven, asset by asset, and the header that contains it. */
export function ProvenBalance({ kept: { mine, signed, signer } }: { kept: KeptCheck }) {
  return (
    <>
      <section aria-label={m.proof_balance_proven()}>
        <h3 className="text-section">{m.proof_balance_proven()}</h3>
        <FactList
          facts={mine.leaves.map((leaf) => ({
            label: labelOf(leaf),
            value: (
              <span className="inline-flex flex-wrap items-center justify-end gap-x-2">
                {amountOf(leaf)}{' '}
                <span className="inline-flex items-center gap-1 text-label text-muted">
                  <Icon name="check" className="size-4 text-accent" />
                  {m.proof_balance_holds_short()}
                </span>
              </span>
            ),
          }))}
        />
      </section>
      <section aria-label={m.proof_header_details()}>
        <h3 className="text-section">{m.proof_header_details()}</h3>
        <HeaderFacts signed={signed} signer={signer} />
      </section>
    </>
  )
}

type Leaf = KeptCheck['mine']['leaves'][number]

function labelOf(leaf: Leaf): string {
  if (leaf.kind === 'user') return m.proof_balance_of({ asset: leaf.asset })
  if (leaf.kind === 'pledge') return m.proof_balance_pledge({ asset: leaf.asset })
  return m.proof_balance_loan({ asset: leaf.debt_asset, collateral: leaf.collateral_asset })
}

/** The shares of a pledge and of a debt are no amounts of an asset, so they are not shown. */
function amountOf(leaf: Leaf) {
  if (leaf.kind === 'pledge') return null
  const [asset, units] = leaf.kind === 'user' ? [leaf.asset, leaf.free] : [leaf.collateral_asset, leaf.collateral]
  return <AmountText amount={formatUnits(BigInt(units), isAssetId(asset) ? ASSET_DECIMALS[asset] : 18)} asset={asset} />
}
