import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { earnedDecimals } from '@clearwell/ui/i18n/format.ts'
import type { ComponentProps } from 'react'

/** Interest that is owed or earned. It grows by the second: less than a millionth reads `<0.000001`, and a tap shows all of it. */
export function InterestText(props: Omit<ComponentProps<typeof AmountText>, 'decimals'>) {
  return <AmountText {...props} decimals={earnedDecimals(props.amount)} />
}
