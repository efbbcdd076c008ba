import type { Command } from '@clearwell/ledger/command'
import { addDays } from '@clearwell/rules/hong-kong-day'
import { requiredDeposit } from '@clearwell/rules/rich-star'
import { members } from '@clearwell/server/src/domain/members/members.ts'
import { collectRt } from '@clearwell/server/src/features/rich/move-rt.ts'
import { releaseRt } from '@clearwell/server/src/features/rich/release-rt.ts'
import { requestUpgrade } from '@clearwell/server/src/features/rich/request-upgrade.ts'
import { createRichStore } from '@clearwell/server/src/features/rich/rich.store.ts'
import { richDrains } from '@clearwell/server/src/features/rich/rich-drains.ts'
import { TREASURY, userAccount } from '@clearwell/server/src/platform/ledger/accounts.ts'
import { systemClock } from '@clearwell/server/src/platform/time/clock.ts'
import { type Hub, type HubShape, openHub, RULES, userOf } from './hub.ts'
import { compareShapes, type ShapeStep } from './shape-pair.ts'

/** Requests are due immediately, so that the next drain passes each. */
const DUE = { ...RULES, approvalMs: 0 }
const MOST = requiredDeposit(9, RULES.firstDeposit)

/** A hub, and what each step does next. */
interface HubWorld {
  release(): Promise<unknown>
  collect(): Promise<unknown>
  request(): Promise<unknown>
  passRequests(): Promise<unknown>
  listChildren(): Promise<unknown>
}

const STEPS: readonly ShapeStep<HubWorld>[] = [
  { what: 'job: release a day', run: (hub) => hub.release() },
  { what: 'collect', run: (hub) => hub.collect() },
  { what: 'request a star at the end', run: (hub) => hub.request() },
  { what: 'job: pass the request', run: (hub) => hub.passRequests() },
  { what: 'list my children', run: (hub) => hub.listChildren() },
]

/** Measures the calls and jobs of the hub in a flat team and in a line of as many accounts, on PGlite in this process, in turn. */
export async function benchHubShapes(accounts: number): Promise<void> {
  const hubs = [await openHub(accounts, 'flat'), await openHub(accounts, 'line')] as const
  await compareShapes(`hub of ${accounts}`, [await worldOf(hubs[0], 'flat'), await worldOf(hubs[1], 'line')], STEPS)
  for (const hub of hubs) await hub.close()
}

async function worldOf({ db, writer, accounts }: Hub, shape: HubShape): Promise<HubWorld> {
  const store = createRichStore(db)
  const drains = richDrains({
    db,
    store,
    writer,
    clock: systemClock,
    notices: { send: async () => undefined },
    rules: DUE,
  })
  /** The last accounts of the line with star 1, each once. */
  const askers = Array.from({ length: 800 }, (_, index) => Math.floor((accounts - 1) / 9) * 9 - 9 * index)
  for (const index of askers) await writer.execute(fund(userOf(index)))
  const parentOf = (index: number) => userOf(shape === 'line' ? index - 1 : 0)
  let [day, collecting, asking] = [0, 0, 0]
  return {
    release: () => writer.execute(releaseRt(RULES, addDays('2030-01-01', day++))),
    collect: () => writer.execute(collectRt(RULES, { userId: userOf(++collecting), key: undefined })),
    request() {
      const index = askers[asking++] as number
      return writer.execute(requestUpgrade(DUE, { userId: userOf(index), parentId: parentOf(index), key: undefined }))
    },
    async passRequests() {
      for (const { drain } of drains) await drain()
    },
    listChildren: () => store.children(userOf(0), undefined, 2),
  }
}

/** An activated member with the deposit of the highest star. */
function fund(userId: string): Command<object> {
  const postings = [
    { account: TREASURY, asset: 'RT', units: -MOST },
    { account: userAccount(userId, 'rt_deposit'), asset: 'RT', units: MOST },
  ]
  const row = { id: userId, activated_at: systemClock.now(), activation_order_id: null }
  return {
    kind: 'fund',
    owner: 'bench',
    payload: {},
    preload: [],
    decide: () => ({
      entries: [{ kind: 'fund', reference: userId, postings }],
      rows: [{ table: members, row }],
      response: {},
    }),
  }
}
