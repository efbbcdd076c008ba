import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { INTEREST_DECIMALS } from '@clearwell/ui/i18n/format.ts'
import type { ComponentProps } from 'react'

/**
 * Interest, which grows by the second: six decimals, less than a millionth reads `<0.000001`, and a tap shows all of it. Add `raises`
 * where it is owed or paid, which is never shown smaller than it is.
 */
export function InterestText(props: Omit<ComponentProps<typeof AmountText>, 'decimals'>) {
  return <AmountText {...props} decimals={INTEREST_DECIMALS} />
}
