import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { ExactAmount } from '../../components/exact-amount.tsx'
import { TokenMark } from '../../components/token-mark.tsx'
import { m } from '../../generated/messages.ts'
import { paid, received, textOf, typedAmount } from './swap-figures.ts'
import type { SwapTerms } from './swap-terms.ts'

/** The amount that leaves the balance and the one that arrives: the first thing in a confirmation. */
export function PayReceive({ terms }: { terms: SwapTerms }) {
  const { exact, sold, bought, amountIn, amountOut } = terms
  return (
    <div className="flex flex-col gap-1 rounded-card bg-input p-4">
      <Side
        label={m.swap_pay()}
        kind={exact === 'in' ? m.swap_exact() : m.swap_about()}
        amount={textOf(amountIn, sold)}
        asset={sold}
        text={exact === 'in' ? typedAmount(amountIn, sold) : paid(amountIn, sold)}
      />
      <Icon name="chevron-right" className="mx-2 rotate-90 text-muted" />
      <Side
        label={m.swap_receive()}
        kind={exact === 'out' ? m.swap_exact() : m.swap_about()}
        amount={textOf(amountOut, bought)}
        asset={bought}
        text={exact === 'out' ? typedAmount(amountOut, bought) : received(amountOut, bought)}
      />
    </div>
  )
}

function Side({
  label,
  kind,
  ...amount
}: {
  label: string
  kind: string
  amount: string
  asset: string
  text: string
}) {
  return (
    <div className="flex items-center gap-3">
      <TokenMark asset={amount.asset} />
      <div className="flex min-w-0 flex-1 flex-col">
        <span className="text-label text-muted">
          {label} · {kind}
        </span>
        <span className="figures text-screen [overflow-wrap:anywhere]">
          <ExactAmount {...amount} className="text-start!" />
        </span>
      </div>
    </div>
  )
}
