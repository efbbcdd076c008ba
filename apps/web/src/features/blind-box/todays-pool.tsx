import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { TokenMark } from '../../components/token-mark.tsx'
import { m } from '../../generated/messages.ts'
import type { BoxRules } from './blind-box.queries.ts'
import { sourceText } from './source-text.ts'

/** Today's pool, asset by asset, and the revenue that it comes from. An empty pool says so. */
export function TodaysPool({ rules }: { rules: BoxRules }) {
  const pools = rules.pool.filter(({ rewards }) => /[1-9]/.test(rewards))
  const { pool_parts: parts } = rules.formula
  return (
    <Section
      title={m.box_pool()}
      action={
        <Link to="/{-$locale}/node/aboutUs" className="inline-flex min-h-11 items-center text-accent">
          {m.box_pool_sources()}
        </Link>
      }
    >
      {pools.length === 0 ? (
        <p className="flex gap-2 rounded-control border border-line p-3 text-muted">
          <Icon name="info" className="mt-px" />
          <span className="min-w-0">{m.box_pool_empty()}</span>
        </p>
      ) : (
        <>
          <ul className="flex flex-col divide-y divide-line">
            {pools.map(({ asset, pool, rewards, contributed }) => (
              <li key={asset} className="flex min-h-16 flex-wrap items-center justify-end gap-x-3 py-2">
                <TokenMark asset={asset} />
                <span className="flex min-w-24 flex-1 flex-col">
                  <span>{asset}</span>
                  <span className="figures text-secondary text-muted">
                    {m.box_pool_of({ amount: formatAmount(rewards), fees: formatAmount(contributed), n: parts })}
                  </span>
                </span>
                <AmountText isPublic amount={pool} />
              </li>
            ))}
          </ul>
          <AddedToday sources={rules.sources} />
        </>
      )}
    </Section>
  )
}

/** More of them are folded. */
const MOST_SHOWN = 3

/** The revenue that was added to the pools today, by source. */
function AddedToday({ sources }: Pick<BoxRules, 'sources'>) {
  const added = sources.filter(({ amount }) => !amount.startsWith('-') && /[1-9]/.test(amount))
  if (added.length === 0) return <p className="text-secondary text-muted">{m.box_pool_nothing_today()}</p>
  const list = (
    <ul className="flex flex-col text-secondary">
      {added
        .toSorted((one, other) => one.kind.localeCompare(other.kind))
        .map(({ asset, amount, kind }) => (
          <li key={`${kind} ${asset}`} className="flex min-h-9 flex-wrap items-center justify-between gap-x-4">
            <span className="text-muted">{sourceText(kind)}</span>
            <AmountText isPublic amount={amount} asset={asset} />
          </li>
        ))}
    </ul>
  )
  if (added.length <= MOST_SHOWN)
    return (
      <div>
        <h3 className="text-secondary text-muted">{m.box_pool_today()}</h3>
        {list}
      </div>
    )
  return (
    <details className="group">
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-2 text-secondary text-muted [&::-webkit-details-marker]:hidden">
        {m.box_pool_today_of({ n: added.length })}
        <Icon name="chevron-right" className="size-4 rotate-90 transition-transform group-open:-rotate-90" />
      </summary>
      {list}
    </details>
  )
}
