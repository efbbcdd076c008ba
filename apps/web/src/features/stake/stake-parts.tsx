import { Button } from '@clearwell/ui/components/button.tsx'
import { formatAmount, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { CommandProblem } from '../../account/command-problem.tsx'
import { m } from '../../generated/messages.ts'
import { refusedText } from './stake-refusal.ts'

/** Building blocks that these screens share. */

/** Why a command about an asset failed, whether funds moved, and what to do next. */
export function StakeProblem({
  error,
  asset,
  explain = refusedText,
}: {
  error: Error | null
  asset: string
  explain?: (error: Error, asset: string) => string
}) {
  return <CommandProblem error={error} explain={(failed) => explain(failed, asset)} />
}

/** An amount over the most that is possible, with that most as a tap. */
export function OverMost({
  text,
  role = 'alert',
  ...take
}: {
  text: string
  /** `note` for what holds before anything is typed. */
  role?: 'alert' | 'note'
} & (
  | { most?: never }
  | {
      /** Plain decimal text. */
      most: string
      asset: string
      onTake: (amount: string) => void
    }
)) {
  return (
    <div role={role} className="flex flex-col gap-2 rounded-control border border-warn/50 p-3">
      <p className="flex gap-2">
        <Icon name="circle-alert" className="text-warn" />
        <span className="min-w-0">{text}</span>
      </p>
      {take.most !== undefined && /[1-9]/.test(take.most) && (
        <Button look="quiet" size="small" onClick={() => take.onTake(take.most)}>
          {m.stake_use_amount({
            amount: formatAmount(take.most, { decimals: significantDecimals(take.most) }),
            coin: take.asset,
          })}
        </Button>
      )}
    </div>
  )
}
