import type { ProvenLeaf } from '@clearwell/exit-kit/src/check-paths.ts'
import { type AccountSlot, amountUnder, type BalanceSlot, describeExit } from '@clearwell/exit-kit/src/exit-state.ts'
import type { Base } from '@clearwell/exit-kit/src/find-base.ts'
import type { Hex } from 'viem'

/** An asset that the canary deposits and takes back. Amounts are base units. */
export interface AssetView extends BalanceSlot {
  /** The token's address in lower case, zero for the native coin. */
  readonly token: Hex
  /** Deposited in each round. */
  readonly amount: bigint
  readonly wallet: bigint
  /** The vault may take this much of the token; no limit for the native coin. */
  readonly allowance: bigint
  /** The vault holds this much of the token. */
  readonly held: bigint
  /** Deposited at earlier vaults and not paid there: the ledger has taken it along. */
  readonly carried: bigint
}

export interface View {
  readonly account: AccountSlot
  /** The time of the newest block, in seconds. */
  readonly now: number
  readonly ended: boolean
  /** The vault's money has moved. */
  readonly moved: { readonly successor: Hex | undefined } | undefined
  readonly assets: readonly AssetView[]
  /** The root that decides the exit, or would decide one that is asked for now. */
  readonly base: Base
  /** The account's leaves in that root. */
  readonly leaves: readonly ProvenLeaf[]
}

export type Fault =
  | 'vault_ended'
  | 'vault_moved'
  | 'too_little_money'
  | 'leaf_too_small'
  | 'leaf_missing'
  | 'no_base'
  | 'paid_too_little'

export type Step =
  | { readonly kind: 'approve' | 'deposit'; readonly token: Hex; readonly amount: bigint }
  | { readonly kind: 'request' | 'cancel' }
  | { readonly kind: 'finish'; readonly token: Hex; readonly amount: bigint; readonly leaf: ProvenLeaf }
  /** Nothing to do before a root or a time. */
  | { readonly kind: 'wait'; readonly for: 'path' | 'payment' }
  /** A person has to look. The canary tries again. */
  | { readonly kind: 'fault'; readonly code: Fault; readonly detail: string }

/** Native coin that the canary keeps for gas, in wei. */
export const GAS_RESERVE = 2_000_000_000_000_000n

/**
 * Decides the next step by the chain alone, so that a restart or a lost folder repeats nothing: the vault's counters tell which assets are
 * in the vault, and its slot whether an exit is open.
 */
export function decideStep(view: View): Step {
  if (view.ended) return fault('vault_ended', 'the end of the vault has begun: claim the money by hand')
  switch (describeExit(view.account, view.now).step) {
    case 'none':
      if (view.moved)
        return fault(
          'vault_moved',
          `this vault takes no deposit any more: set ${view.moved.successor ?? 'the next vault'} as --vault behind it`,
        )
      return view.assets.map(depositStep).find((step) => step !== undefined) ?? requestStep(view)
    case 'open':
    case 'fixed':
      return { kind: 'wait', for: 'payment' }
    default:
      return finishStep(view)
  }
}

const inVault = ({ deposited, paid, carried }: AssetView) => deposited - paid + carried
const fault = (code: Fault, detail: string): Step => ({ kind: 'fault', code, detail })

function depositStep(asset: AssetView): Step | undefined {
  const { token, amount, wallet, allowance } = asset
  if (inVault(asset) > 0n) return undefined
  const needed = isNative(token) ? amount + GAS_RESERVE : amount
  if (wallet < needed) return fault('too_little_money', `${token}: the account has ${wallet} of ${needed}`)
  return { kind: allowance < amount ? 'approve' : 'deposit', token, amount }
}

/** Asks only when a posted root has the whole deposit. */
function requestStep({ assets, base, leaves }: View): Step {
  if (base.kind !== 'found') return { kind: 'wait', for: 'path' }
  for (const asset of assets) {
    const leaf = leafOf(asset, leaves)
    // A root of before the deposit.
    if (!leaf || BigInt(leaf.deposited_seen) < asset.deposited) return { kind: 'wait', for: 'path' }
    const amount = amountUnder(leaf, asset)
    if (amount < inVault(asset))
      return fault(
        'leaf_too_small',
        `${asset.token}: ${amount} of ${inVault(asset)} in header ${base.paidBy.signed.number}`,
      )
  }
  return { kind: 'request' }
}

function finishStep({ assets, base, leaves, moved }: View): Step {
  const left = assets.filter((asset) => inVault(asset) > 0n)
  if (left.length === 0) return { kind: 'cancel' }
  if (base.kind !== 'found') return fault('no_base', `${base.kind}${'seq' in base ? ` ${base.seq}` : ''}`)
  for (const asset of left) {
    const leaf = leaves.find(({ token }) => token.toLowerCase() === asset.token)
    if (!leaf) return fault('leaf_missing', `${asset.token} in header ${base.paidBy.signed.number}`)
    const amount = amountUnder(leaf.leaf, asset)
    // A vault that has moved pays as far as it holds money. The ledger has the rest at the next one.
    if (moved && asset.held < amount) continue
    if (amount > 0n) return { kind: 'finish', token: asset.token, amount, leaf }
  }
  if (moved) return { kind: 'cancel' }
  return fault('paid_too_little', left.map((asset) => `${asset.token}: ${inVault(asset)} left`).join(', '))
}

function leafOf({ token }: AssetView, leaves: readonly ProvenLeaf[]) {
  return leaves.find((each) => each.token.toLowerCase() === token)?.leaf
}

/** @param token in lower case or with its checksum: zero has no letters */
export const isNative = (token: Hex) => /^0x0+$/.test(token)

/** A posted root, by its event. */
export interface RootEvent {
  readonly seq: number
  readonly number: string
  readonly hash: Hex
  /** In seconds. */
  readonly postedAt: number
}

/** A bookkeeper gives an account one new path an hour; after a failure, it is asked again sooner. In seconds. */
const HOUR_S = 3_600
const AGAIN_S = 60

export interface Asked {
  /** In seconds, by the chain. */
  readonly at: number
  readonly isDone: boolean
}

/**
 * Decides whether a path is asked for, and of which header. Once the base is fixed, only its own path counts; before, the newest one is taken
 * each hour, because it becomes the base if the server stops.
 */
export function decideAsk(of: {
  readonly account: Pick<AccountSlot, 'exitAt' | 'lastBase'>
  readonly now: number
  readonly roots: readonly RootEvent[]
  /** The root that must be there because the last exit was paid under it. */
  readonly neededSeq: number | undefined
  /** Numbers of the headers whose paths are there. */
  readonly known: ReadonlySet<string>
  readonly asked: Asked | undefined
}): { readonly number: string } | undefined {
  const { account, now, roots, neededSeq, known, asked } = of
  const exit = describeExit(account, now)
  const until = exit.step === 'none' ? now : exit.baseAt
  const wanted = [roots.find(({ seq }) => seq === neededSeq), roots.findLast(({ postedAt }) => postedAt <= until)].find(
    (root) => root !== undefined && !known.has(root.number),
  )
  if (!wanted) return undefined
  if (asked && now < asked.at + (asked.isDone ? HOUR_S : AGAIN_S)) return undefined
  return { number: wanted.number }
}
