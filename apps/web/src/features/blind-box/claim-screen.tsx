import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Button, buttonClass } from '@clearwell/ui/components/button.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { withWholeParts } from '@clearwell/ui/components/whole-parts.tsx'
import { formatDateTime, formatShortDay } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { SumOfAssets } from '../../components/sum-of-assets.tsx'
import { m } from '../../generated/messages.ts'
import { RewardValue, useRewardValue } from './amounts.tsx'
import { type Box, useBoxes, useBoxStatus, useClaimableBoxes } from './blind-box.queries.ts'
import { BOXES } from './blind-box.samples.ts'
import { rewardSum } from './claim-sum.ts'
import MyBoxes from './my-boxes.tsx'

/** The rewards that can be claimed, each to choose, and the details of all boxes so far. */
export default function ClaimScreen() {
  const { signedIn } = useAccount()
  if (signedIn) return <MyClaims />
  return (
    <Screen title={m.title_node_claim()}>
      <SignedOut icon="coins" title={m.box_claim_signed_out()} />
    </Screen>
  )
}

function MyClaims() {
  const claimable = useClaimableBoxes()
  const status = useBoxStatus()
  const opensAt = status.data?.claims_open_at
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  // Shown when the status is known too: a warning that comes later would move the claims down.
  const boxes = status.isPending ? undefined : claimable.data?.items
  const chosen = boxes?.filter(({ box_id }) => !left.has(box_id)) ?? []
  const isAll = boxes !== undefined && chosen.length === boxes.length
  const toggle = (id: string) =>
    setLeft((before) =>
      before.has(id) ? new Set([...before].filter((each) => each !== id)) : new Set([...before, id]),
    )
  return (
    <Screen
      title={m.title_node_claim()}
      aside={claimable.isError && boxes && <Badge tone="warning">{m.ui_stale()}</Badge>}
      action={
        boxes
          ? boxes.length > 0 && <Continue chosen={chosen} isAll={isAll} isOpen={!opensAt} />
          : !claimable.isError && <Button disabled>{m.box_claim_all()}</Button>
      }
    >
      {opensAt && (
        <Warning title={m.box_not_open()} text={withWholeParts(m.box_opens_at({ time: formatDateTime(opensAt) }))} />
      )}
      {boxes ? (
        boxes.length === 0 ? (
          <EmptyState
            icon="coins"
            title={m.box_claim_none()}
            text={m.box_claim_none_text()}
            action={
              <Link to="/{-$locale}/node/blindBox" className={buttonClass()}>
                {m.box_see()}
              </Link>
            }
          />
        ) : (
          <Claims
            boxes={boxes}
            left={left}
            isAll={isAll}
            onToggle={toggle}
            onAll={() => setLeft(isAll ? new Set(boxes.map(({ box_id }) => box_id)) : new Set())}
          />
        )
      ) : claimable.isError ? (
        <ErrorState error={claimable.error} onRetry={claimable.refetch} />
      ) : (
        <Pending>
          <Claims boxes={BOXES} left={left} isAll onToggle={toggle} onAll={() => {}} />
        </Pending>
      )}
      {boxes && <Details isOpen={boxes.length === 0} />}
    </Screen>
  )
}

/** All boxes so far. Closed below a choice, whose boxes they repeat. */
function Details({ isOpen }: { isOpen: boolean }) {
  const boxes = useBoxes()
  if (boxes.data?.length === 0) return null
  return (
    <details open={isOpen} className="group">
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-3 text-section [&::-webkit-details-marker]:hidden">
        {m.box_claim_details()}
        <Icon name="chevron-down" className="text-muted group-open:rotate-180" />
      </summary>
      <MyBoxes title={null} none={null} />
    </details>
  )
}

function Continue({ chosen, isAll, isOpen }: { chosen: readonly Box[]; isAll: boolean; isOpen: boolean }) {
  if (!isOpen) return <Button disabled>{m.box_not_open()}</Button>
  if (chosen.length === 0) return <Button disabled>{m.box_claim_choose()}</Button>
  return (
    <Link
      to="/{-$locale}/node/confirmation"
      search={isAll ? {} : { boxes: chosen.map(({ box_id }) => box_id).join(',') }}
      className={buttonClass()}
    >
      {isAll ? m.box_claim_all() : m.box_claim_some({ n: chosen.length })}
    </Link>
  )
}

interface ClaimsProps {
  readonly boxes: readonly Box[]
  /** The ids that are not chosen. */
  readonly left: ReadonlySet<string>
  readonly isAll: boolean
  readonly onToggle: (id: string) => void
  readonly onAll: () => void
}

/** The sum of the chosen rewards, and the choice. */
function Claims(props: ClaimsProps) {
  const chosen = props.boxes.filter(({ box_id }) => !props.left.has(box_id))
  const sum = rewardSum(chosen)
  const isValued = useRewardValue(sum) !== undefined
  return (
    <>
      <Card className="flex flex-col gap-1">
        <span className="text-secondary text-muted">{m.box_claim_sum({ n: chosen.length })}</span>
        <span className="text-screen">
          <SumOfAssets amounts={sum} />
        </span>
        {chosen.length > 1 && isValued && <span className="text-label text-muted">{m.box_claim_rows_are_cut()}</span>}
      </Card>
      <Choice {...props} />
    </>
  )
}

function Choice({ boxes, left, isAll, onToggle, onAll }: ClaimsProps) {
  return (
    <fieldset className="flex flex-col divide-y divide-line">
      <legend className="sr-only">{m.box_claim_choose()}</legend>
      <label className="flex min-h-11 items-center gap-3 font-semibold">
        <input type="checkbox" checked={isAll} onChange={onAll} className="size-5 accent-accent" />
        {m.box_claim_choose_all()}
      </label>
      {boxes.map(({ box_id, day, draw, reward, expires_at }) => (
        <label key={box_id} className="flex min-h-16 items-center gap-3 py-2">
          <input
            type="checkbox"
            checked={!left.has(box_id)}
            onChange={() => onToggle(box_id)}
            className="size-5 shrink-0 accent-accent"
          />
          <span className="flex min-w-0 flex-1 flex-col">
            <span>{m.box_day_drawn({ day: formatShortDay(day), draw: draw ?? 1 })}</span>
            {expires_at && (
              <span className="text-secondary text-muted">
                {withWholeParts(m.box_claim_by({ time: formatDateTime(expires_at) }))}
              </span>
            )}
          </span>
          <span className="figures text-end">
            <RewardValue amounts={reward} />
          </span>
        </label>
      ))}
    </fieldset>
  )
}
