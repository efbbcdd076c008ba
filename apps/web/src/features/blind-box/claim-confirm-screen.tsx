import { useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { PendingScreen } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Success } from '@clearwell/ui/components/success.tsx'
import { withWholeParts } from '@clearwell/ui/components/whole-parts.tsx'
import { formatList } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime, formatShortDay } from '@clearwell/ui/i18n/format-date.ts'
import { Link } from '@tanstack/react-router'
import { GatedButton } from '../../account/gated-button.tsx'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useCommand } from '../../api/use-command.ts'
import { SumOfAssets } from '../../components/sum-of-assets.tsx'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { AmountLines } from './amounts.tsx'
import { type Box, type ClaimResult, useBoxStatus, useClaimableBoxes } from './blind-box.queries.ts'
import { BOXES } from './blind-box.samples.ts'
import { BoxProblem } from './box-problem.tsx'
import { amountsText, someAmounts } from './box-text.ts'
import { readChosenBoxes } from './claim-search.ts'
import { rewardSum } from './claim-sum.ts'

/** More days than this would fill the screen. */
const DAYS_NAMED = 3

/** Says in words what a claim moves, claims in one command, and shows what arrived. */
export default function ClaimConfirmScreen() {
  const chosen = useReadSearch(readChosenBoxes)
  const { signedIn } = useAccount()
  const claimable = useClaimableBoxes()
  const claim = useCommand('claimBoxes', { silent: true })
  if (claim.data) return <Claimed result={claim.data} />
  const boxes = claimable.data?.items.filter(({ box_id }) => chosen.boxes?.split(',').includes(box_id) ?? true)
  if (boxes && boxes.length > 0) return <Confirm boxes={boxes} claim={claim} />
  if (signedIn && claimable.isPending)
    return (
      <PendingScreen>
        <Confirm boxes={BOXES} claim={claim} />
      </PendingScreen>
    )
  return (
    <Screen title={m.title_node_confirmation()}>
      {!signedIn ? (
        <SignedOut icon="coins" title={m.box_claim_signed_out()} />
      ) : claimable.isError && !boxes ? (
        <ErrorState error={claimable.error} onRetry={claimable.refetch} />
      ) : (
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
      )}
    </Screen>
  )
}

function Confirm({ boxes, claim }: { boxes: readonly Box[]; claim: ReturnType<typeof useCommand<'claimBoxes'>> }) {
  const status = useBoxStatus()
  const opensAt = status.data?.claims_open_at
  const sum = rewardSum(boxes)
  const ids = boxes.map(({ box_id }) => box_id)
  const confirm = () => claim.mutate({ box_ids: ids })
  return (
    <Screen
      title={m.title_node_confirmation()}
      action={
        <div className="flex flex-col gap-3">
          <BoxProblem error={claim.error} />
          {opensAt && !claim.error && (
            <p className="text-center text-secondary text-muted">
              {withWholeParts(m.box_opens_at({ time: formatDateTime(opensAt) }))}
            </p>
          )}
          <GatedButton
            needs="activation"
            busy={claim.isPending}
            disabled={status.isPending || Boolean(opensAt)}
            onClick={confirm}
          >
            {opensAt ? m.box_not_open() : m.title_node_claim()}
          </GatedButton>
        </div>
      }
    >
      <Card className="flex flex-col gap-1">
        <span className="text-secondary text-muted">{m.box_claim_receive()}</span>
        <span className="text-amount">
          <SumOfAssets amounts={sum} isTotalOnly />
        </span>
        <span className={someAmounts(sum).length === 1 ? 'text-amount' : 'text-section'}>
          <AmountLines amounts={sum} isOwn={false} signed className="whitespace-normal" />
        </span>
      </Card>
      <p>{withWholeParts(m.box_claim_words({ n: boxes.length, amounts: amountsText(sum) }))}</p>
      <FactList
        facts={[
          { label: m.box_claim_days(), value: daysText(boxes) },
          { label: m.box_claim_from(), value: m.box_claim_from_rewards() },
          { label: m.box_claim_to(), value: m.box_claim_to_available() },
          { label: m.box_claim_fee(), value: m.box_claim_fee_none() },
        ]}
      />
    </Screen>
  )
}

/** The days of boxes, which come newest first: each one, or from the first to the last if they are many. */
function daysText(boxes: readonly Box[]): string {
  const days = boxes.map(({ day }) => formatShortDay(day))
  const [last, first] = [days[0], days.at(-1)]
  if (days.length <= DAYS_NAMED || !first || !last) return formatList(days)
  return m.box_claim_days_between({ first, last })
}

function Claimed({ result: { amount, boxes, claimed_at } }: { result: ClaimResult }) {
  return (
    <Screen
      title={m.box_claimed()}
      action={
        <div className="grid grid-cols-2 gap-2">
          <Link to="/{-$locale}/node" className={buttonClass()}>
            {m.nav_my_node()}
          </Link>
          <Link to="/{-$locale}/wallet/logs" className={buttonClass('quiet')}>
            {m.box_to_log()}
          </Link>
        </div>
      }
    >
      <div role="status">
        <Success title={<ClaimedAmounts amounts={amount} />} text={m.box_claimed_done()} />
      </div>
      <FactList
        facts={[
          ...boxes.map(({ day, reward }) => ({ label: formatShortDay(day), value: <AmountLines amounts={reward} /> })),
          { label: m.box_claimed_at(), value: formatDateTime(claimed_at) },
        ]}
      />
    </Screen>
  )
}

/** The amounts that arrived, in full, unless the user hides amounts. */
export function ClaimedAmounts({ amounts }: { amounts: ClaimResult['amount'] }) {
  const { hidden } = useHiddenAmounts()
  return (
    <span className="flex flex-col items-center">
      <AmountLines amounts={amounts} isOwn={hidden} />
      <span className="text-secondary text-muted">
        <SumOfAssets amounts={amounts} isTotalOnly />
      </span>
    </span>
  )
}
