import { CommandProblem } from '../../account/command-problem.tsx'
import { Button } from '../../components/button.tsx'
import { AmountFieldSkeleton, ControlSkeleton, FactsSkeleton, Loading } from '../../components/skeleton-shapes.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatAmount } from '../../i18n/format.ts'
import { Icon } from '../../icons/icon.tsx'
import { refusedText } from './stake-refusal.ts'

/** Building blocks that these screens share. */

/** Why a command about an asset failed, whether funds moved, and what to do next. */
export function StakeProblem({ error, asset }: { error: Error | null; asset: string }) {
  return <CommandProblem error={error} explain={(failed) => refusedText(failed, asset)} />
}

/** An amount over the most that is possible, with that most as a tap. */
export function OverMost({
  text,
  most,
  asset,
  onTake,
}: {
  text: string
  /** Plain decimal text. */
  most: string
  asset: string
  onTake: (amount: string) => void
}) {
  const isSome = /[1-9]/.test(most)
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-control border border-warn/50 p-3">
      <p className="flex gap-2">
        <Icon name="circle-alert" className="text-warn" />
        <span className="min-w-0">{text}</span>
      </p>
      {isSome && (
        <Button look="quiet" size="small" onClick={() => onTake(most)}>
          {m.stake_use_amount({ amount: formatAmount(most), coin: asset })}
        </Button>
      )}
    </div>
  )
}

/** A form while it loads. */
export function FormSkeleton() {
  return (
    <Loading className="gap-4">
      <ControlSkeleton />
      <AmountFieldSkeleton />
      <FactsSkeleton count={5} />
    </Loading>
  )
}

/** An amount in a sentence: grouped, cut, with its asset. */
export function amountWords(amount: string, asset: string): string {
  return `${formatAmount(amount)} ${asset}`
}
