import { addDays, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { requiredDeposit } from '@clearwell/rules/rich-star'
import { linkUid } from '@clearwell/server/src/features/rich/link-uid.ts'
import { collectRt, depositRt, takeBackRt } from '@clearwell/server/src/features/rich/move-rt.ts'
import { releaseRt } from '@clearwell/server/src/features/rich/release-rt.ts'
import { approveUpgrade, passDueRequests, requestUpgrade } from '@clearwell/server/src/features/rich/request-upgrade.ts'
import { type RichRules, richConfig, richRules } from '@clearwell/server/src/features/rich/rich.config.ts'
import { richAccounts, richRequests } from '@clearwell/server/src/features/rich/rich.tables.ts'
import { returnDeposits, stepDown } from '@clearwell/server/src/features/rich/step-down.ts'
import type { World } from './world.ts'

const RULES = richRules({ rich: richConfig.shape.rich.parse(undefined) })

/** The upgrade hub of a world: deposits, stars, releases and collections by the server's commands. */
export class HubDays {
  readonly #world: World
  readonly #rules: RichRules
  #uids = 100_000

  /** @param rules changes to today's rules, to see that the simulation finds the faults of others. */
  constructor(world: World, rules: Partial<RichRules> = {}) {
    this.#world = world
    this.#rules = { ...RULES, ...rules }
  }

  /** Signs up accounts that hold RT, and links their UIDs. */
  join(count: number, rt: bigint, more: { readonly parent?: string } = {}): string[] {
    const ids = this.#world.join(count, more)
    for (const id of ids) {
      this.#world.give(id, 'RT', rt)
      this.#world.give(id, 'USDT', 10n * 10n ** 18n)
      this.#world.activate(id)
      const uid = String(this.#uids++)
      this.#world.ledger.execute(
        linkUid(this.#rules, { userId: id, parentId: this.#world.parentOf(id), uid, name: 'sim', key: undefined }),
      )
    }
    return ids
  }

  deposit(userId: string, units: bigint): void {
    this.#world.try(depositRt(this.#rules, { userId, units, key: undefined }))
  }

  /** Requests the next star. @returns the request, if there is one now. */
  request(userId: string): string | undefined {
    const parentId = this.#world.parentOf(userId)
    const made = this.#world.try(requestUpgrade(this.#rules, { userId, parentId, key: undefined }))
    return typeof made === 'string' ? undefined : made.request_id
  }

  /** Requests the next star and lets the parent approve it, as often as it passes. */
  raiseByParent(userId: string, parent: string): void {
    for (let id = this.request(userId); id !== undefined; id = this.request(userId)) {
      this.#world.try(approveUpgrade(this.#rules, { userId: parent, requestId: id, key: undefined }))
    }
  }

  takeBack(userId: string): void {
    this.#world.try(takeBackRt(this.#rules, { userId, key: undefined }))
  }

  stepDown(userId: string): void {
    this.#world.try(stepDown(this.#rules, { userId, key: undefined }))
  }

  collect(userId: string): void {
    this.#world.try(collectRt(this.#rules, { userId, key: undefined }))
  }

  /** The desk at the end of a day: requests and notices that are due, and the release of the day before. */
  endDay(): void {
    const { ledger } = this.#world
    const open = ledger.rows(richRequests).filter(({ status }) => status === 'Requested')
    ledger.execute(
      passDueRequests(
        this.#rules,
        open.map(({ id }) => id),
      ),
    )
    ledger.execute(returnDeposits(ledger.rows(richAccounts).map(({ id }) => id)))
    ledger.execute(releaseRt(this.#rules, addDays(hongKongDayOf(ledger.now), -1)))
  }

  depositFor(star: number): bigint {
    return requiredDeposit(star, this.#rules.firstDeposit)
  }
}
