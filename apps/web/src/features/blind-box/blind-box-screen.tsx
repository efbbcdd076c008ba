import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Button, buttonClass } from '@clearwell/ui/components/button.tsx'
import { Card, Section } from '@clearwell/ui/components/card.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { explicitRead } from '@clearwell/ui/components/explicit-read.ts'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { Ripples } from '@clearwell/ui/components/ripples.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Skeleton } from '@clearwell/ui/components/skeleton.tsx'
import { Loading, RowsSkeleton } from '@clearwell/ui/components/skeleton-shapes.tsx'
import { Stat } from '@clearwell/ui/components/stat.tsx'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import {
  type Box,
  type BoxStatus,
  useBoxRules,
  useBoxStatus,
  useLatestResult,
  useNotedRoots,
} from './blind-box.queries.ts'
import { BoxArt } from './box-art.tsx'
import { BoxFigures } from './box-figures.tsx'
import { BoxProblem } from './box-problem.tsx'
import { ClosingDays } from './closing-days.tsx'
import { Fairness } from './fairness.tsx'
import { LatestClicks } from './latest-clicks.tsx'
import { LatestResult } from './latest-result.tsx'
import { Odds } from './odds.tsx'
import { StreakCalendar } from './streak-calendar.tsx'
import { TodayBox } from './today-box.tsx'
import { TodaysPool } from './todays-pool.tsx'
import { noteClick } from './verify/noted-clicks.ts'

const BoxSheet = lazySheet(() => import('./box-sheet.tsx'))

/** The daily box: its state, its odds and rules before the click, and everyone's clicks. */
export default function BlindBoxScreen() {
  const { signedIn, user } = useAccount()
  const rules = useBoxRules()
  const status = useBoxStatus()
  useNotedRoots()
  const own = [status, useLatestResult()]
  // All appear together: the figures would move when the user's own box and its result come above them.
  const isKnown = !signedIn || own.every(({ isPending }) => !isPending)
  const isUnknownDay = signedIn && status.isError && !status.data
  const [opened, setOpened] = useState<Box>()
  const click = useCommand('clickBox', { silent: true })
  const { data } = rules
  const isStale = (rules.isError && data) || (status.isError && status.data)
  const refetch = () => Promise.all([rules.refetch(), ...(signedIn ? [status.refetch()] : [])])
  const press = () => click.mutate({}, { onSuccess: ({ box }) => noteClick(box, data) })
  return (
    <Screen
      title={m.nav_blind_box()}
      aside={
        data && (
          <span className="flex items-center gap-1">
            {isStale && <Badge tone="warning">{m.ui_stale()}</Badge>}
            <IconButton
              icon="refresh-cw"
              label={m.box_refresh()}
              onClick={() => void explicitRead(refetch)}
              className="-me-3"
            />
          </span>
        )
      }
      action={
        !isUnknownDay && (
          <div className="flex flex-col gap-3">
            <BoxProblem error={click.error} />
            <Action
              status={signedIn ? status.data : undefined}
              isLoading={signedIn && status.isPending}
              busy={click.isPending}
              onClick={press}
            />
          </div>
        )
      }
    >
      {data && isKnown ? (
        <>
          {isUnknownDay ? (
            <ErrorState error={status.error} onRetry={refetch} />
          ) : (
            <TodayBox rules={data} status={signedIn ? status.data : undefined} />
          )}
          <p role="status" className="sr-only">
            {click.isSuccess ? m.box_clicked() : ''}
          </p>
          <ClosingDays closing={data.closing} />
          {signedIn && <LatestResult onOpen={setOpened} />}
          <BoxFigures rules={data} status={signedIn ? status.data : undefined} />
          <TodaysPool rules={data} />
          {signedIn && <StreakCalendar today={data.day} />}
          <Odds rules={data} />
          <Fairness rules={data} />
          <LatestClicks />
        </>
      ) : rules.isError && !data ? (
        <ErrorState error={rules.error} onRetry={refetch} />
      ) : (
        <BoxSkeleton isSignedIn={signedIn} isActivated={user?.activated === true} />
      )}
      {opened && <BoxSheet box={opened} onClose={() => setOpened(undefined)} />}
    </Screen>
  )
}

/** The one thing to do: click, claim, or look at one's boxes until the next day. */
function Action({
  status,
  isLoading,
  busy,
  onClick,
}: {
  /** `undefined` for a visitor, and while it loads. */
  status: BoxStatus | undefined
  isLoading: boolean
  busy: boolean
  onClick: () => void
}) {
  if (!status || status.can_click || busy || status.reason === 'not_activated')
    return (
      <GatedButton needs="activation" busy={busy} disabled={isLoading} onClick={onClick}>
        {m.box_click()}
      </GatedButton>
    )
  if (status.claimable_boxes > 0)
    return (
      <Link to="/{-$locale}/node/claim" className={buttonClass()}>
        {m.title_node_claim()}
      </Link>
    )
  if (!status.clicked) return <Button disabled>{m.box_not_open()}</Button>
  return (
    <Link to="/{-$locale}/node/income" className={buttonClass('quiet')}>
      {m.box_mine()}
    </Link>
  )
}

/** The box without its state, the latest result of a user who may have one, and the figures of the day under their names. */
function BoxSkeleton({ isSignedIn, isActivated }: { isSignedIn: boolean; isActivated: boolean }) {
  const figure = <Skeleton className="my-1 h-5.5 w-20" />
  return (
    <Loading className="gap-4 short:gap-3">
      <Card className="flex flex-col items-center gap-1 text-center text-balance">
        <Ripples>
          <BoxArt state="waiting" />
        </Ripples>
        <Skeleton className="my-0.5 h-5 w-44" />
        <p className="relative">
          {/* Gives the room of as many lines as the text that comes. */}
          <span className="invisible">{m.box_waiting_text()}</span>
          <Skeleton className="absolute inset-x-0 inset-y-1" />
        </p>
        {isSignedIn && <Skeleton className="mt-2 h-6 w-56 rounded-full" />}
        <div className="mt-3 flex flex-col items-center">
          <span className="text-label text-muted">{m.box_ends_in()}</span>
          <Skeleton className="my-0.5 h-8 w-36" />
        </div>
      </Card>
      {isActivated && (
        <div className="flex items-center gap-3 rounded-card border border-line p-4">
          <Skeleton className="size-16 shrink-0" />
          <span className="flex min-w-0 flex-1 flex-col">
            <Skeleton className="my-0.5 h-3.5 w-40 max-w-full" />
            <Skeleton className="my-0.5 h-24 w-44 max-w-full" />
            <Skeleton className="my-0.5 h-3.5 w-24" />
          </span>
        </div>
      )}
      <div className="grid grid-cols-2 items-end gap-4">
        <Stat label={m.box_network_power()} value={figure} />
        <Stat label={m.box_my_power()} value={figure} />
        <Stat label={m.box_streak()} value={figure} />
        <Stat label={m.box_contributors()} value={figure} />
      </div>
      <Section title={m.box_pool()} action={<span className="h-11" />}>
        <RowsSkeleton mark />
      </Section>
    </Loading>
  )
}
