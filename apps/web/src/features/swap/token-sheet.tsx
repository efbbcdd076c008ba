import type { AssetId } from '@clearwell/money/asset'
import { cx } from '@clearwell/ui/browser/cx.ts'
import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { formatAmount, formatUsdt } from '@clearwell/ui/i18n/format.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useState } from 'react'
import type { Config } from '../../api/config.ts'
import { TokenMark } from '../../components/token-mark.tsx'
import { m } from '../../generated/messages.ts'
import { SearchField } from './search-field.tsx'
import { useBalances } from './swap.queries.ts'
import type { Pair, Trade } from './swap-terms.ts'
import { type Token, tokensOf, tradeWith } from './swap-tokens.ts'

/** The tokens of all pools, those with a balance first, each with its value in USDT. */
export default function TokenSheet({
  side,
  config,
  pairs,
  trade,
  onChoose,
  onClose,
}: {
  side: 'sell' | 'buy'
  config: Config
  pairs: readonly Pair[]
  trade: Pick<Trade, 'pair' | 'inverse'>
  onChoose: (trade: Pick<Trade, 'pair' | 'inverse'>) => void
  onClose: () => void
}) {
  const [searched, setSearched] = useState('')
  const names = new Map(config.assets.map(({ asset, name }) => [asset, name]))
  const all = tokensOf(pairs, { balances: useBalances(), names })
  const shown = all.filter(({ asset, name }) => matches(`${asset} ${name}`, searched))
  const groups = [
    { title: m.swap_held(), tokens: shown.filter(({ isHeld }) => isHeld) },
    { title: m.swap_not_held(), tokens: shown.filter(({ isHeld }) => !isHeld) },
  ]
  const { base, quote } = trade.pair
  const current = (side === 'sell') === trade.inverse ? quote : base

  function choose(asset: AssetId): void {
    const next = tradeWith(pairs, trade, { side, asset })
    if (next) onChoose(next)
    onClose()
  }

  return (
    <Sheet title={side === 'sell' ? m.swap_choose_sell() : m.swap_choose_buy()} onClose={onClose}>
      <SearchField label={m.swap_search_token()} value={searched} onChange={setSearched} />
      {shown.length === 0 && <p className="text-muted">{m.swap_search_no_token({ n: all.length })}</p>}
      {groups.map(
        ({ title, tokens }) =>
          tokens.length > 0 && (
            <section key={title} aria-label={title}>
              <h3 className="text-label text-muted">{title}</h3>
              <ul className="-mx-2 flex flex-col">
                {tokens.map((token) => (
                  <li key={token.asset}>
                    <TokenRow token={token} isChosen={token.asset === current} onClick={() => choose(token.asset)} />
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
    </Sheet>
  )
}

function TokenRow({ token, isChosen, onClick }: { token: Token; isChosen: boolean; onClick: () => void }) {
  const { asset, name, available, worth, isHeld } = token
  const { hidden } = useHiddenAmounts()
  return (
    <button
      type="button"
      aria-current={isChosen ? 'true' : undefined}
      onClick={onClick}
      className="flex min-h-16 w-full items-center gap-3 rounded-control px-2 py-2 text-start hover:bg-input"
    >
      <TokenMark asset={asset} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="font-semibold">{asset}</span>
        {name !== asset && <span className="text-secondary text-muted [overflow-wrap:anywhere]">{name}</span>}
      </span>
      {isHeld && (
        <span className="figures flex shrink-0 flex-col items-end">
          <span>{hidden ? HIDDEN_TEXT : formatAmount(available)}</span>
          {worth !== undefined && !hidden && (
            <span className="text-secondary text-muted">{m.swap_worth({ amount: formatUsdt(worth) })}</span>
          )}
        </span>
      )}
      <Icon name="check" className={cx(isChosen ? 'text-accent' : 'invisible')} />
    </button>
  )
}

function matches(text: string, searched: string): boolean {
  return text.toLowerCase().includes(searched.trim().toLowerCase())
}
