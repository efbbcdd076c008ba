import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { PendingScreen } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { ShownAmounts } from '@clearwell/ui/components/shown-amounts.tsx'
import { Link, useNavigate } from '@tanstack/react-router'
import { GatedButton } from '../../account/gated-button.tsx'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { BigAmount } from '../../vault-payment/big-amount.tsx'
import { PledgeLossNote, PledgeRisk, rateFacts, WithdrawalLossNote } from './pledge-facts.tsx'
import { keepPledgeOutcome } from './pledge-outcome.ts'
import { type MarketPool, type Pledge, usePledges, useStakeMarket } from './stake.queries.ts'
import { PLEDGE, USDT_POOL } from './stake.samples.ts'
import { OverMost, StakeProblem } from './stake-parts.tsx'
import { mostOf, refusedPledgeText } from './stake-refusal.ts'
import { PLEDGE_FORM, readPledgeDraft } from './stake-search.ts'

/** The second step: says in words what will happen. */
export default function PledgeConfirmScreen() {
  const { way, asset, amount } = useReadSearch(readPledgeDraft)
  const { signedIn } = useAccount()
  const market = useStakeMarket()
  const pledges = usePledges()
  const pool = market.data?.find((each) => each.asset === asset)
  const pledge = pledges.data?.find((each) => each.asset === asset)
  if (amount === undefined || (amount !== 'all' && !/[1-9]/.test(amount))) return <NothingToConfirm />
  if (way !== 'out' && pool) return <ConfirmPledge pool={pool} amount={amount} />
  if (signedIn && pledge) return <ConfirmWithdrawal key={amount} pledge={pledge} amount={amount} />
  const awaited = way === 'out' ? pledges : market
  if (awaited.data) return <NothingToConfirm />
  if (!awaited.isError && (way !== 'out' || signedIn))
    return (
      <PendingScreen>
        {way === 'out' ? (
          <ConfirmWithdrawal pledge={{ ...PLEDGE, asset: asset ?? PLEDGE.asset }} amount={amount} />
        ) : (
          <ConfirmPledge pool={{ ...USDT_POOL, asset: asset ?? USDT_POOL.asset }} amount={amount} />
        )}
      </PendingScreen>
    )
  return (
    <Screen title={way === 'out' ? m.stake_withdraw_confirm() : m.title_stake_pledge_confirm()}>
      {way === 'out' && !signedIn ? (
        <SignedOut icon="coins" title={m.stake_signed_out_pledges()} />
      ) : (
        <ErrorState error={awaited.error} onRetry={awaited.refetch} />
      )}
    </Screen>
  )
}

function NothingToConfirm() {
  return (
    <Screen title={m.title_stake_pledge_confirm()}>
      <EmptyState
        icon="coins"
        title={m.stake_confirm_nothing()}
        action={
          <Link to="/{-$locale}/stake/pledge" className={buttonClass()}>
            {m.stake_pledge()}
          </Link>
        }
      />
    </Screen>
  )
}

function ConfirmPledge({ pool, amount }: { pool: MarketPool; amount: string }) {
  const navigate = useNavigate()
  const { asset } = pool
  const command = useCommand('pledge', { silent: true, form: PLEDGE_FORM })
  const confirm = () =>
    command.mutate(
      { asset, amount },
      {
        onSuccess: ({ position }) => {
          keepPledgeOutcome({ way: 'in', asset, amount, position })
          void navigate({ to: '/{-$locale}/stake/pledge/result', replace: true })
        },
      },
    )
  return (
    <Screen
      title={m.title_stake_pledge_confirm()}
      action={
        <div className="flex flex-col gap-3">
          <StakeProblem error={command.error} asset={asset} explain={refusedPledgeText} />
          <GatedButton needs="activation" busy={command.isPending} onClick={confirm}>
            {m.stake_pledge()}
          </GatedButton>
        </div>
      }
    >
      <BigAmount label={m.stake_pledge()} amount={amount} asset={asset} />
      <p>{m.stake_pledge_words({ coin: asset })}</p>
      <PledgeLossNote pool={pool} amount={amount} />

      <ShownAmounts>
        <FactList
          facts={[
            ...rateFacts(pool, amount),
            { label: m.stake_withdrawal(), value: m.stake_withdrawal_text() },
            { label: m.stake_fee(), value: m.stake_fee_none() },
          ]}
        />
      </ShownAmounts>

      <PledgeRisk pool={pool} />
    </Screen>
  )
}

/** @param amount `all` withdraws the whole pledge, with its income up to that second. */
function ConfirmWithdrawal({ pledge, amount }: { pledge: Pledge; amount: string }) {
  const navigate = useNavigate()
  const { asset } = pledge
  const command = useCommand('unpledge', { silent: true, form: PLEDGE_FORM })
  const shown = amount === 'all' ? pledge.total_pledged : amount
  const confirm = () =>
    command.mutate(
      { asset, amount },
      {
        onSuccess: ({ position }) => {
          keepPledgeOutcome({ way: 'out', asset, amount: shown, position })
          void navigate({ to: '/{-$locale}/stake/pledge/result', replace: true })
        },
      },
    )
  // Another amount is another confirmation.
  const take = (most: string) =>
    void navigate({
      to: '/{-$locale}/stake/pledge/confirm',
      search: { way: 'out', asset, amount: most },
      replace: true,
    })
  const most = mostOf(command.error)
  const facts = [
    { label: m.stake_withdrawable(), value: <AmountText amount={pledge.withdrawable} asset={asset} /> },
    { label: m.stake_stays(), value: <AmountText amount={remaining(pledge, amount)} asset={asset} /> },
    { label: m.stake_fee(), value: m.stake_fee_none() },
  ]
  return (
    <Screen
      title={m.stake_withdraw_confirm()}
      action={
        <div className="flex flex-col gap-3">
          {most === undefined ? (
            <StakeProblem error={command.error} asset={asset} explain={refusedPledgeText} />
          ) : (
            <OverMost text={m.stake_exceeds_pool()} most={most} asset={asset} onTake={take} />
          )}
          <GatedButton needs="open" busy={command.isPending} onClick={confirm}>
            {m.stake_withdraw()}
          </GatedButton>
        </div>
      }
    >
      <BigAmount label={m.stake_withdraw()} amount={shown} asset={asset} />
      <p>{amount === 'all' ? m.stake_withdraw_all_words() : m.stake_withdraw_words()}</p>
      <WithdrawalLossNote pledge={pledge} amount={shown} />

      <ShownAmounts>
        <FactList facts={facts} />
      </ShownAmounts>
    </Screen>
  )
}

/** The rest of a pledge after a withdrawal. */
function remaining({ asset, total_pledged: total }: Pledge, amount: string): string {
  const decimals = ASSET_DECIMALS[asset]
  const [has, takes] = [parseUnits(total, decimals) ?? 0n, parseUnits(amount, decimals)]
  return takes === undefined || takes > has ? '0' : formatUnits(has - takes, decimals)
}
