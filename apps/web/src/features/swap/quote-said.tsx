import { useEffect, useState } from 'react'
import { m } from '../../generated/paraglide/messages.js'
import { currentLocale } from '../../i18n/locale.ts'
import { isWorthSaying } from './quote-age.ts'
import { exactFact, expectedLabel, expectedText } from './swap-facts.tsx'
import type { SwapTerms } from './swap-terms.ts'

/**
 * Says the quote to those who do not see it: once for what was typed, again when it changed by half a percent or went
 * out of date. Every poll would be a chatter.
 */
export function QuoteSaid({ terms, isExpired }: { terms: SwapTerms | undefined; isExpired: boolean }) {
  const [said, setSaid] = useState<{ of: string; units: bigint; text: string }>()
  useEffect(() => {
    if (!terms) return
    const { exact, amount, sold, bought, amountIn, amountOut } = terms
    const of = `${exact} ${amount} ${sold} ${bought} ${currentLocale()}`
    const units = exact === 'in' ? amountOut : amountIn
    const fixed = exactFact(terms)
    const text = m.swap_quote_said({
      fixed: `${fixed.label} ${fixed.value}`,
      expected: `${expectedLabel(exact)} ${expectedText(terms, terms)}`,
    })
    setSaid((last) => (last?.of === of && !isWorthSaying(last.units, units) ? last : { of, units, text }))
  }, [terms])
  return (
    <p role="status" className="sr-only">
      {isExpired ? m.ui_stale() : terms && said?.text}
    </p>
  )
}
