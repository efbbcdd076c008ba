import { CommandProblem } from '../../account/command-problem.tsx'
import { Button } from '../../components/button.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import {
  AmountFieldSkeleton,
  CardSkeleton,
  ControlSkeleton,
  FactsSkeleton,
  Loading,
  TextSkeleton,
} from '../../components/skeleton-shapes.tsx'
import { m } from '../../generated/messages.ts'
import { formatAmount, significantDecimals } from '../../i18n/format.ts'
import { Icon } from '../../icons/icon.tsx'
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
          {m.stake_use_amount({ amount: formatAmount(most, { decimals: significantDecimals(most) }), coin: asset })}
        </Button>
      )}
    </div>
  )
}

/** A form while it loads: its choices, the amount, the figures. */
export function FormSkeleton({ choices = 1 }: { choices?: 1 | 2 }) {
  return (
    <Loading className="gap-4">
      <ControlSkeleton />
      {choices === 2 && <ControlSkeleton />}
      <AmountFieldSkeleton />
      <FactsSkeleton count={5} />
    </Loading>
  )
}

/** The change of a loan's collateral while it loads: the choice, the amount, both ratios with their bars. */
export function ChangeSkeleton() {
  return (
    <Loading className="gap-4">
      <ControlSkeleton />
      <AmountFieldSkeleton />
      <CardSkeleton>
        <div className="-mb-3 flex flex-col gap-3">
          {['before', 'after'].map((each) => (
            <div key={each} className="flex flex-col gap-1">
              <div className="flex items-center justify-between gap-3">
                <Skeleton className="h-4 w-40 max-w-full" />
                <Skeleton className="h-6 w-24" />
              </div>
              <Skeleton className="my-1 h-2 rounded-full" />
            </div>
          ))}
          <FactsSkeleton />
        </div>
      </CardSkeleton>
    </Loading>
  )
}

/** The terms of a confirmation while they load: the amount, the words, the figures. */
export function ConfirmSkeleton() {
  return (
    <Loading className="gap-4">
      <span className="flex flex-col items-center gap-1 py-2">
        <Skeleton className="my-0.5 h-3 w-16" />
        <Skeleton className="h-9 w-40" />
      </span>
      <TextSkeleton lines={3} />
      <FactsSkeleton count={6} />
    </Loading>
  )
}

/** The outcome of a command while it loads: the mark, the amount, the order. */
export function OutcomeSkeleton() {
  return (
    <Loading className="gap-4">
      <span className="flex flex-col items-center gap-2 px-4 py-6">
        <Skeleton className="size-16 rounded-full" />
        <Skeleton className="h-11 w-48" />
        <Skeleton className="my-1 h-3.5 w-56" />
      </span>
      <FactsSkeleton count={8} />
    </Loading>
  )
}
