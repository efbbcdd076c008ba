import { cx } from '@clearwell/ui/browser/cx.ts'
import { HIDDEN_TEXT } from '@clearwell/ui/browser/hidden-amounts.ts'
import { useIsHidden } from '@clearwell/ui/components/shown-amounts.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { useState } from 'react'
import { m } from '../generated/messages.ts'

const ALL_DECIMALS = 18

/** An amount at reading length. A press shows it to the last unit, and another press shortens it again. */
export function ExactAmount({
  amount,
  asset,
  text,
  className,
}: {
  /** Plain decimal text. */
  amount: string
  asset: string
  /** The short text, already rounded and with its asset. */
  text: string
  className?: string
}) {
  const [isExact, setExact] = useState(false)
  const isHidden = useIsHidden()
  const exact = `${formatAmount(amount, { decimals: ALL_DECIMALS })} ${asset}`
  if (isHidden)
    return (
      <span className={className}>
        {HIDDEN_TEXT} {asset}
      </span>
    )
  if (text === exact) return <span className={className}>{text}</span>
  const shown = isExact ? exact : text
  return (
    <button
      type="button"
      aria-pressed={isExact}
      aria-label={`${shown} ${m.ui_exact_amount()}`}
      title={exact}
      onClick={() => setExact(!isExact)}
      className={cx(
        '-my-3 py-3 text-end underline decoration-muted decoration-dotted underline-offset-4 [overflow-wrap:anywhere]',
        className,
      )}
    >
      {shown}
    </button>
  )
}
