import { cx } from '@clearwell/ui/browser/cx.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Icon, type IconName } from '@clearwell/ui/icons/icon.tsx'
import { useId } from 'react'
import type { Config } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import type { ActiveStatus } from './activation.queries.ts'
import { activationBenefits } from './activation-benefits.ts'

/** The price of activation: paid once, to the insurance fund. */
export function ActivationPrice({ price, asset }: Pick<ActiveStatus, 'price' | 'asset'>) {
  return (
    <div className="flex flex-col gap-1">
      <p className="flex items-baseline justify-between gap-3">
        <span className="text-muted">{m.activation_price()}</span>
        <AmountText isPublic amount={price} asset={asset} className="text-amount" />
      </p>
      <p className="text-label text-muted">{m.activation_price_text()}</p>
    </div>
  )
}

/** The benefits of activation: those of today, and planned ones. */
export function ActivationBenefits({ features }: Pick<Config, 'features'>) {
  const { open, planned } = activationBenefits(features)
  return (
    <div className="flex flex-col gap-4">
      <BenefitList title={m.activation_gives()} icon="check" lines={open} />
      <BenefitList title={m.activation_planned()} icon="circle" lines={planned} isPlanned />
      <p className="text-label text-muted">{m.activation_not_needed()}</p>
    </div>
  )
}

function BenefitList({
  title,
  icon,
  lines,
  isPlanned = false,
}: {
  title: string
  icon: IconName
  lines: readonly string[]
  isPlanned?: boolean
}) {
  const id = useId()
  if (lines.length === 0) return null
  return (
    <div className="flex flex-col gap-2">
      <p id={id} className="text-label text-muted">
        {title}
      </p>
      <ul aria-labelledby={id} className="flex flex-col gap-2">
        {lines.map((text) => (
          <li key={text} className={cx('flex gap-2', isPlanned && 'text-muted')}>
            <Icon name={icon} className={isPlanned ? '' : 'text-accent'} />
            {text}
          </li>
        ))}
      </ul>
    </div>
  )
}
