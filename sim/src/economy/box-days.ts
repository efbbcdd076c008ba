import { createHash, createHmac } from 'node:crypto'
import type { Amount } from '@clearwell/money/amount'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import { drawFactor } from '@clearwell/rules/box-draw'
import { blockTimeOf } from '@clearwell/rules/box-ladder'
import { type MembershipLevel, powerOf } from '@clearwell/rules/box-power'
import { poolOfDay, rewardOf } from '@clearwell/rules/box-reward'
import { type BoxRules, DEFAULT_BOX_RULES } from '@clearwell/rules/box-rules'
import { expiryOf } from '@clearwell/rules/box-status'
import { boundsOfDay, type HongKongDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { MINUTE_MS } from '@clearwell/rules/spans'
import { boxes, boxTallies } from '@clearwell/server/src/domain/boxes/box.tables.ts'
import { amountsOf, NO_UNITS } from '@clearwell/server/src/domain/boxes/fee-days.ts'
import { claimBoxes, divideDay, forfeitDay } from '@clearwell/server/src/features/blind-box/box-money.ts'
import { clickBox, closeClicks } from '@clearwell/server/src/features/blind-box/click-box.ts'
import { REWARDS } from '@clearwell/server/src/platform/ledger/accounts.ts'
import { treasuryDebts } from '@clearwell/server/src/platform/ledger/treasury-debts.ts'
import type { World } from './world.ts'

/** A box and the factor that it draws, as the operator sees it once the block is there. */
export interface DrawnBox {
  readonly id: string
  readonly owner: string
  readonly draw: number
  readonly power: bigint
}

/** How the operator runs the end of a day. */
export interface DayPolicy {
  /** Minutes after the day's end at which the root is published, with the draws that a block of some minute would give. */
  readonly rootMinutes?: ((drawsOfBlock: (minutes: number) => readonly DrawnBox[]) => number | undefined) | undefined
  /** Decides if the seed is published, with the draws before him. */
  readonly reveals?: ((drawn: readonly DrawnBox[]) => boolean) | undefined
}

/** Rules of an earlier version, to see that the simulation finds their faults. */
export interface OldBoxRules {
  /** The pool was a part of `rewards` alone. */
  readonly wholePot?: boolean
  /** A void day cost nothing. */
  readonly freeVoid?: boolean
  /** A fee made power by the USDT side of the same swap alone. */
  readonly ownPrice?: boolean
  /** Every box had the same power. */
  readonly equalPower?: boolean
  /** The block was the first one after the root, whenever that came. */
  readonly anyBlock?: boolean
}

/** The blind boxes of a world: clicks, ends of days and claims. */
export class BoxDays {
  readonly #world: World
  readonly #rules: BoxRules
  readonly #old: OldBoxRules
  #clicked: string[] = []
  /** Days that divided nothing. */
  voidDays = 0

  constructor(world: World, { old = {}, rules = DEFAULT_BOX_RULES }: { old?: OldBoxRules; rules?: BoxRules } = {}) {
    this.#world = world
    this.#rules = rules
    this.#old = old
  }

  click(owner: string): void {
    const { ledger } = this.#world
    const receivedAt = ledger.now
    const input = { userId: owner, opening: 'always', isOperators: false, receivedAt, key: undefined } as const
    const result = this.#world.try(clickBox({ ...input, rules: this.#rules }))
    if (typeof result !== 'string') this.#clicked.push(result.box_id)
  }

  /** Boxes of the present day so far. */
  get clicks(): number {
    return this.#clicked.length
  }

  /** Ends the day before the present moment: draws, divides and claims, or divides nothing. */
  end(policy: DayPolicy = {}): void {
    const { ledger } = this.#world
    const day = hongKongDayOf(new Date(ledger.now.getTime() - MINUTE_MS))
    ledger.execute(closeClicks(day))
    const pool = this.#pool(day)
    const after = (minutes: number) => new Date(boundsOfDay(day).closesAt.getTime() + minutes * MINUTE_MS)
    const rootMinutes = policy.rootMinutes ? policy.rootMinutes((minutes) => this.#draw(day, after(minutes))) : 1
    const blockTime = rootMinutes === undefined ? undefined : this.#blockTime(day, after(rootMinutes))
    const drawn = blockTime && this.#draw(day, blockTime)
    if (!drawn || policy.reveals?.(drawn) === false) this.#void(day, pool)
    else this.#divide(day, pool, drawn)
    this.#clicked = []
  }

  #pool(day: HongKongDay): Amount[] {
    const { ledger } = this.#world
    const contributed = amountsOf(ledger.row(boxTallies, day) ?? NO_UNITS)
    const sources = ASSET_IDS.toSorted().map((asset) => {
      const rewards = ledger.balance(REWARDS, asset)
      const brought = contributed.find((each) => each.asset === asset)?.units ?? 0n
      return { asset, rewards, contributed: this.#old.wholePot ? rewards : brought }
    })
    return poolOfDay(sources, this.#rules).filter(({ units }) => units > 0n)
  }

  #blockTime(day: HongKongDay, rootAt: Date): Date | undefined {
    return this.#old.anyBlock ? rootAt : blockTimeOf(day, rootAt, this.#rules)
  }

  /** The draws that a block would give. Its hash is known to no one before its time. */
  #draw(day: HongKongDay, blockTime: Date): DrawnBox[] {
    const { ledger, seed: world } = this.#world
    const hash = (text: string) => createHash('sha256').update(`${world} ${text}`).digest()
    const seed = hash(`seed ${day}`)
    const blockHash = `0x${hash(`block ${blockTime.toISOString()}`).toString('hex')}`
    return this.#clicked.map((id) => {
      const box = ledger.row(boxes, id)
      if (!box) throw new RangeError(`there is no box ${id}`)
      // By owner, so that the same person has the same luck in two worlds that are compared.
      const boxId = hash(`${box.user_id} ${day}`).toString('hex').slice(0, 32)
      const hmac = (key: Uint8Array, message: Uint8Array) => createHmac('sha256', key).update(message).digest()
      const draw = drawFactor({ seed, blockHash, boxId }, this.#rules.odds, hmac)
      const level = box.level as MembershipLevel
      const power = powerOf(
        { fees: this.#old.equalPower ? 1_000n : box.fees, level, streak: box.streak, draw },
        this.#rules,
      )
      return { id, owner: box.user_id, draw, power }
    })
  }

  #divide(day: HongKongDay, pool: readonly Amount[], drawn: readonly DrawnBox[]): void {
    const { ledger } = this.#world
    const totalPower = drawn.reduce((sum, { power }) => sum + power, 0n)
    const assigned = drawn
      .map(({ id, owner, power }) => ({ id, owner, reward: rewardOf({ pool, power, totalPower }) }))
      .filter(({ reward }) => reward.length > 0)
    const shared = pool
      .map(({ asset }) => ({
        asset,
        units: assigned
          .flatMap(({ reward }) => reward.filter((each) => each.asset === asset))
          .reduce((sum, { units }) => sum + units, 0n),
      }))
      .filter(({ units }) => units > 0n)
    ledger.execute(divideDay(day, shared))
    const expiresAt = expiryOf(ledger.now, this.#rules)
    for (const { id, owner, reward } of assigned) {
      const box = { status: 0, reward, expiresAt, boxId: id, userId: owner, day } as const
      ledger.execute(
        claimBoxes({ userId: owner, assigned: [box], asked: undefined, opening: 'always', key: undefined }),
      )
    }
  }

  #void(day: HongKongDay, pool: readonly Amount[]): void {
    this.voidDays++
    if (!this.#old.freeVoid) this.#world.ledger.execute(forfeitDay(day, pool))
  }
}

/** The operator's liquidity and treasury, without what the treasury owes for void days. */
export function operatorWealth(world: World): bigint {
  const debts = world.ledger.rows(treasuryDebts).map(({ id, units }) => world.worth(id as AssetId, units))
  return debts.reduce((sum, debt) => sum - debt, world.operatorWealth())
}
