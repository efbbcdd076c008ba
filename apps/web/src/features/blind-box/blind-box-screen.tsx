import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Button, buttonClass } from '@clearwell/ui/components/button.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { explicitRead } from '@clearwell/ui/components/explicit-read.ts'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import {
  type Box,
  type BoxRules,
  type BoxStatus,
  refreshClicks,
  useBoxRules,
  useBoxStatus,
  useLatestResult,
  useNotedRoots,
} from './blind-box.queries.ts'
import { BOX, RULES, STATUS } from './blind-box.samples.ts'
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
  const latest = useLatestResult()
  const own = [status, latest]
  // All appear together: the figures would move when the user's own box and its result come above them.
  const isKnown = !signedIn || own.every(({ isPending }) => !isPending)
  const isUnknownDay = signedIn && status.isError && !status.data
  const [opened, setOpened] = useState<Box>()
  const click = useCommand('clickBox', { silent: true })
  const { data } = rules
  const isStale = (rules.isError && data) || (status.isError && status.data)
  const refetch = () => Promise.all([rules.refetch(), ...(signedIn ? [status.refetch()] : [])])
  const press = () =>
    click.mutate(
      {},
      {
        onSuccess: ({ box }) => {
          noteClick(box, data)
          refreshClicks()
        },
      },
    )
  return (
    <Screen
      title={m.nav_blind_box()}
      aside={
        <span className="flex items-center gap-1">
          {isStale && <Badge tone="warning">{m.ui_stale()}</Badge>}
          <IconButton
            icon="refresh-cw"
            label={m.box_refresh()}
            onClick={() => void explicitRead(refetch)}
            className="-me-3"
          />
        </span>
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
      <p role="status" className="sr-only">
        {click.isSuccess ? m.box_clicked() : ''}
      </p>
      {data && isKnown ? (
        <>
          {isUnknownDay && <ErrorState error={status.error} onRetry={refetch} />}
          <Day
            rules={data}
            status={signedIn ? status.data : undefined}
            latest={signedIn ? latest.data : undefined}
            isUnknown={isUnknownDay}
            isClicking={click.isPending}
            onOpen={setOpened}
          />
        </>
      ) : rules.isError && !data ? (
        <ErrorState error={rules.error} onRetry={refetch} />
      ) : (
        <Pending>
          <Day
            rules={RULES}
            status={signedIn ? STATUS : undefined}
            latest={user?.activated ? BOX : undefined}
            onOpen={setOpened}
          />
        </Pending>
      )}
      {opened && <BoxSheet box={opened} onClose={() => setOpened(undefined)} />}
    </Screen>
  )
}

interface DayProps {
  readonly rules: BoxRules
  /** `undefined` for a visitor, and where it could not be read. */
  readonly status: BoxStatus | undefined
  /** The newest box with a result. */
  readonly latest: Box | null | undefined
  readonly isUnknown?: boolean
  readonly isClicking?: boolean
  readonly onOpen: (box: Box) => void
}

/** Today's box, the latest result and everything about the day. */
function Day({ rules, status, latest, isUnknown = false, isClicking = false, onOpen }: DayProps) {
  const { signedIn } = useAccount()
  return (
    <>
      {!isUnknown && <TodayBox rules={rules} status={status} isClicking={isClicking} />}
      <ClosingDays closing={rules.closing} />
      {latest && <LatestResult key={latest.box_id} box={latest} onOpen={() => onOpen(latest)} />}
      <BoxFigures rules={rules} status={status} />
      <TodaysPool rules={rules} />
      {signedIn && <StreakCalendar today={rules.day} />}
      <Odds rules={rules} />
      <Fairness rules={rules} latest={latest} onOpen={onOpen} />
      <LatestClicks />
    </>
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
