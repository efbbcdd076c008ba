import type { Hex } from '@clearwell/proofs/bytes'
import { encodeHeader } from '@clearwell/proofs/header'
import type { PostingChain, RootCall } from '../../platform/chain/exit-vault-post.ts'
import { withSpareGas } from '../../platform/chain/spare-gas.ts'
import type { SignedRoot } from '../../platform/signer/voucher-root.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { affordable, decidePost, type Fees, hoursOfGas, type PostDecision, raiseFees } from './decide-post.ts'
import type { InFlight, InFlightStore } from './in-flight.store.ts'

/** A transaction that is not mined after this time is replaced. */
const STUCK_MS = 60_000
/** Transactions of one nonce. Beyond it, and where a higher fee is more than a post is worth, the newest is sent again. */
const MOST_REPLACEMENTS = 20
/** Units of gas for a post, by `docs/concepts/exit.md`; until one was estimated. */
const USUAL_GAS = 300_000n

/** The outcome of one step. */
export type PostStep =
  | PostDecision['why']
  | 'refused'
  | 'too_dear'
  | 'waiting'
  | 'sent_again'
  | 'posted_root'
  | 'replaced'

export interface PosterDependencies {
  readonly chain: PostingChain
  readonly store: InFlightStore
  readonly clock: Clock
  /** Reads the newest header that both keys have signed. */
  readonly newestSigned: () => Promise<SignedRoot | undefined>
  /** Reads the last day of boxes in the newest header up to this number. */
  readonly boxDayUpTo: (number: bigint) => Promise<number>
  /** Receives a transaction that was mined. */
  readonly onMined?: (mined: { readonly number: bigint; readonly hash: Hex; readonly isSuccess: boolean }) => void
  /** Receives why nothing can be posted. */
  readonly onTrouble: (message: string) => void
}

/** Posts headers to the vault, one transaction after another. */
export interface Poster {
  /** Does what is due now. */
  step(): Promise<PostStep>
  /** For how many hours the account has gas; `undefined` before the first step. */
  readonly gasHours: number | undefined
}

export function createPoster(deps: PosterDependencies): Poster {
  const { chain, clock } = deps
  let gasHours: number | undefined
  let gas = USUAL_GAS

  async function step(): Promise<PostStep> {
    const [{ nonce, balance }, fees] = [await chain.account(), await chain.fees()]
    gasHours = hoursOfGas(balance, { gas, maxFee: fees.maxFee })
    const before = await settle(deps, nonce)
    if (before && clock.now().getTime() - before.sentAt.getTime() < STUCK_MS) return sendAgain(chain, before)
    const { decision, header } = await decide(deps)
    if (!decision.post || !header) return decision.why
    const call = callOf(header)
    const estimated = await chain.estimate(call)
    if ('refusal' in estimated) {
      deps.onTrouble(`the vault refuses header ${header.header.number}: ${estimated.refusal}`)
      return 'refused'
    }
    gas = withSpareGas(estimated.gas)
    const offered = offerFees(before, fees)
    if (!offered && before) {
      deps.onTrouble(
        `header ${before.number} is not mined, and no higher fee is offered: the transaction is sent again`,
      )
      return sendAgain(chain, before)
    }
    if (!offered) {
      deps.onTrouble(`gas costs ${fees.maxFee} wei: nothing is posted until it costs less`)
      return 'too_dear'
    }
    await send(deps, { call, before, nonce, gas, fees: offered, number: header.header.number })
    return before ? 'replaced' : 'posted_root'
  }

  return {
    step,
    get gasHours() {
      return gasHours
    },
  }
}

/** Forgets a transaction that is mined. @returns the one that is not. */
async function settle(
  { chain, store, onMined, onTrouble }: PosterDependencies,
  nonce: number,
): Promise<InFlight | undefined> {
  const inFlight = await store.read()
  if (!inFlight || nonce <= inFlight.nonce) return inFlight
  for (const hash of inFlight.hashes.toReversed()) {
    const receipt = await chain.receipt(hash)
    if (!receipt) continue
    onMined?.({ number: inFlight.number, hash, isSuccess: receipt.isSuccess })
    await store.clear()
    return undefined
  }
  onTrouble(`another transaction has the nonce ${inFlight.nonce}: the key of the poster is used elsewhere`)
  await store.clear()
  return undefined
}

/** A response was lost, or the node has forgotten the transaction: the same one is sent again. */
async function sendAgain(chain: PostingChain, { hashes, raw }: InFlight): Promise<'waiting' | 'sent_again'> {
  if (await chain.isKnown(hashes.at(-1) as Hex)) return 'waiting'
  await chain.send(raw)
  return 'sent_again'
}

async function decide({ chain, clock, newestSigned, boxDayUpTo }: PosterDependencies) {
  const [time, newest, header] = [await chain.time(), await chain.newestRoot(), await newestSigned()]
  const now = new Date(Math.max(time.getTime(), clock.now().getTime()))
  const decision = decidePost({
    now,
    newest,
    postedBoxDay: newest ? await boxDayUpTo(newest.number) : 0,
    header: header && { ...header.header, cursorTime: new Date(header.header.cursorTime * 1_000) },
  })
  return { decision, header }
}

function callOf({ header, rootSignature: root, bookSignature: bookkeeper }: SignedRoot): RootCall {
  return { header: encodeHeader(header), root, bookkeeper }
}

function offerFees(before: InFlight | undefined, market: Fees): Fees | undefined {
  if (!before) return affordable(market)
  return before.hashes.length < MOST_REPLACEMENTS ? raiseFees(before.fees, market) : undefined
}

/** Writes the signed transaction down before it is sent: then a lost response is looked up by its hash. */
async function send(
  { chain, store, clock }: PosterDependencies,
  of: {
    readonly call: RootCall
    readonly before: InFlight | undefined
    readonly nonce: number
    readonly gas: bigint
    readonly fees: Fees
    readonly number: bigint
  },
): Promise<void> {
  const { call, before, nonce, gas, fees, number } = of
  const { hash, raw } = await chain.sign(call, { nonce, gas, ...fees })
  const hashes = [...(before?.hashes ?? []), hash]
  await store.write({ nonce, number, hashes, raw, fees, sentAt: clock.now() })
  await chain.send(raw)
}
