import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import { AmountField } from '@clearwell/ui/components/amount-field.tsx'
import { type AmountProblem, amountProblem } from '@clearwell/ui/components/amount-input.ts'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Pending, PendingScreen } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { InactiveNote } from '../../account/inactive-note.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useKeptForm } from '../../account/use-kept-form.ts'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { MyPledge, PledgeLossNote, PledgeRisk, rateFacts, WithdrawalLossNote } from './pledge-facts.tsx'
import { RateFormula } from './rate-formula.tsx'
import { type MarketPool, useAvailable, usePledges, useStakeMarket } from './stake.queries.ts'
import { MARKET, PLEDGE, USDT_POOL } from './stake.samples.ts'
import { OverMost } from './stake-parts.tsx'
import { PLEDGE_FORM, type PledgeDraft, readPledgeDraft } from './stake-search.ts'
import { amountWords, leastText } from './stake-words.ts'

/** Pledging to a pool and withdrawing from it: which asset and how much. */
export default function PledgeScreen() {
  const draft = useReadSearch(readPledgeDraft)
  const market = useStakeMarket()
  const [first] = market.data ?? []
  if (market.data && first)
    return <PledgeForm market={market.data} first={first} draft={draft} isStale={market.isError} />
  if (market.isPending)
    return (
      <PendingScreen>
        <PledgeForm market={MARKET} first={USDT_POOL} draft={draft} isStale={false} />
      </PendingScreen>
    )
  return (
    <Screen title={m.title_stake_pledge()}>
      {market.isError ? (
        <ErrorState error={market.error} onRetry={market.refetch} />
      ) : (
        <EmptyState icon="landmark" title={m.stake_no_pools()} text={m.stake_no_pools_text()} />
      )}
    </Screen>
  )
}

type Way = 'in' | 'out'

interface PledgeFormProps {
  readonly market: readonly MarketPool[]
  readonly first: MarketPool
  readonly draft: PledgeDraft
  readonly isStale: boolean
}

function PledgeForm({ market, first, draft, isStale }: PledgeFormProps) {
  const { signedIn } = useAccount()
  const form = usePledgeForm(market, first, draft)
  const { way, pool, pledge } = form
  return (
    <Screen
      title={m.title_stake_pledge()}
      aside={isStale && <Badge tone="warning">{m.ui_stale()}</Badge>}
      action={
        <GatedButton
          needs={way === 'in' ? 'activation' : 'open'}
          look={form.isReady ? 'main' : 'idle'}
          onClick={form.goOn}
        >
          {m.stake_continue()}
        </GatedButton>
      }
    >
      <SegmentedControl
        label={m.stake_pledge_ways()}
        options={[
          { value: 'in', label: m.stake_pledge() },
          { value: 'out', label: m.stake_withdraw() },
        ]}
        value={way}
        onChange={(next) => form.choose({ way: next })}
      />
      {market.length > 1 && (
        <SegmentedControl
          label={m.stake_asset()}
          options={market.map(({ asset }) => ({ value: asset, label: asset }))}
          value={pool.asset}
          onChange={(next) => form.choose({ asset: next })}
        />
      )}
      {way === 'in' && <InactiveNote />}
      <AmountField
        label={m.stake_amount()}
        value={form.amount}
        onChange={form.setAmount}
        asset={pool.asset}
        decimals={ASSET_DECIMALS[pool.asset]}
        balance={form.balance}
        awaitsBalance={signedIn && form.balance === undefined}
        balanceLabel={way === 'in' ? m.ui_available() : m.stake_withdrawable()}
        error={problemText(form.shown, pool)}
        hint={form.isUnderMin ? leastText(pool.min_pledge, pool.asset) : undefined}
      />
      {form.overCash !== undefined && (
        <OverMost
          text={m.stake_exceeds_pool()}
          most={form.overCash}
          asset={pool.asset}
          onTake={(amount) => form.setAmount(amount)}
        />
      )}
      {way === 'in' ? (
        <PledgeLossNote pool={pool} amount={form.amount} />
      ) : (
        pledge && <WithdrawalLossNote pledge={pledge} amount={form.amount} />
      )}
      {signedIn &&
        (pledge ? (
          <MyPledge pledge={pledge} added={way === 'in' ? form.amount : ''} />
        ) : (
          <Pending>
            <MyPledge pledge={PLEDGE} />
          </Pending>
        ))}
      <div>
        <FactList facts={rateFacts(pool, way === 'in' ? form.amount : '')} />
        <div className="border-t border-line">
          <RateFormula pool={pool} />
        </div>
      </div>
      {way === 'in' && <PledgeRisk pool={pool} />}
    </Screen>
  )
}

/** The choices and the amount of the user. A link to `all` names no amount to begin with. */
function usePledgeFields(market: readonly MarketPool[], first: MarketPool, draft: PledgeDraft) {
  const { way, asset, amount } = draft
  const { fields, change } = useKeptForm<{ way: Way; asset: AssetId; amount: string }>(
    PLEDGE_FORM,
    { way: 'in', asset: first.asset, amount: '' },
    {
      ...(way === undefined ? {} : { way }),
      ...(asset === undefined ? {} : { asset }),
      ...(amount === undefined || amount === 'all' ? {} : { amount }),
    },
  )
  const pool = market.find((each) => each.asset === fields.asset) ?? first
  const pledge = usePledges().data?.find((each) => each.asset === pool.asset)
  return { way: fields.way, amount: fields.amount, pool, pledge, change }
}

/** The amount that is typed, its bounds, and the step to the confirmation. */
function usePledgeForm(market: readonly MarketPool[], first: MarketPool, draft: PledgeDraft) {
  const navigate = useNavigate()
  const { signedIn } = useAccount()
  const { way, amount, pool, pledge, change } = usePledgeFields(market, first, draft)
  // The value of a pledge grows while one goes on: all of it is withdrawn by name.
  const [isWhole, setWhole] = useState(false)
  const [tried, setTried] = useState(false)
  const { asset } = pool
  const decimals = ASSET_DECIMALS[asset]
  const available = useAvailable(asset)
  const own = way === 'in' ? available : pledge?.total_pledged
  const balance = signedIn ? (way === 'in' ? available : pledge?.withdrawable) : undefined
  const min = way === 'in' ? (parseUnits(pool.min_pledge, decimals) ?? 0n) : 0n
  const limit = own === undefined ? undefined : parseUnits(own, decimals)
  const problem = amountProblem(amount, { decimals, min, balance: signedIn ? limit : undefined })
  const units = parseUnits(amount, decimals) ?? 0n
  const cash = pledge && parseUnits(pledge.withdrawable, decimals)
  const exceedsCash = way === 'out' && problem === undefined && cash !== undefined && units > cash

  const isReady = problem === undefined && !exceedsCash

  async function goOn(): Promise<void> {
    setTried(true)
    if (!isReady) return
    const to = { asset, ...(way === 'out' ? { way } : {}) } as const
    await navigate({ to: '/{-$locale}/stake/pledge/confirm', search: { ...to, amount: isWhole ? 'all' : amount } })
  }

  return {
    way,
    pool,
    pledge,
    amount,
    setAmount(next: string) {
      change({ amount: next })
      setWhole(way === 'out' && next === pledge?.total_pledged)
    },
    balance,
    /** Until the first press an amount is still being typed: too little may become enough. */
    shown: tried || problem === 'over_balance' ? problem : undefined,
    isUnderMin: problem === 'under_min',
    /** The cash of the pool, where more is to be withdrawn. */
    overCash: exceedsCash ? pledge?.withdrawable : undefined,
    isReady,
    goOn,
    /** Another choice begins with an empty amount. */
    choose(choice: { way: Way } | { asset: AssetId }) {
      change({ ...choice, amount: '' })
      setTried(false)
    },
  }
}

function problemText(problem: AmountProblem, pool: MarketPool): string | undefined {
  switch (problem) {
    case undefined:
      return undefined
    case 'missing':
      return m.stake_enter_amount()
    case 'invalid':
    case 'over_max':
      return m.stake_invalid_input()
    case 'over_balance':
      return m.stake_balance_not_enough()
    case 'under_min':
      return m.stake_under_min({ min: amountWords(pool.min_pledge, pool.asset) })
  }
}
