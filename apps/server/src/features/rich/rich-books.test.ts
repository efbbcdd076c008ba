import { Draft } from '@clearwell/ledger/draft'
import { Refusal } from '@clearwell/ledger/refusal'
import { MemoryLedger, refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import { addDays, boundsOfDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { requiredDeposit, starWeight } from '@clearwell/rules/rich-star'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { members } from '../../domain/members/members.ts'
import { RT_EARNINGS, RT_PROGRAM, userAccount } from '../../platform/ledger/accounts.ts'
import { linkUid } from './link-uid.ts'
import { collectRt, depositRt, takeBackRt } from './move-rt.ts'
import { releaseRt } from './release-rt.ts'
import { releaseUid } from './release-uid.ts'
import { approveUpgrade, passDueRequests, requestUpgrade } from './request-upgrade.ts'
import { richConfig, richRules } from './rich.config.ts'
import { type RequestRow, type RichAccountRow, richAccounts, richRequests } from './rich.tables.ts'
import { earned, readProgram, readRiseIndex } from './rich-books.ts'
import { returnDeposits, stepDown } from './step-down.ts'

const E18 = 10n ** 18n
const START = new Date('2026-11-22T16:00:00Z')
const RULES = richRules({ rich: richConfig.shape.rich.parse(undefined) })
/** Each is the inviter of the next. */
const LINE = ['a', 'b', 'c', 'd', 'e'].map((letter) => `0x${letter.repeat(40)}`)
const key = undefined

const anyStep = fc.record({
  act: fc.constantFrom(
    'deposit',
    'request',
    'request',
    'approve',
    'approve',
    'leave',
    'take back',
    'collect',
    'release',
    'wait',
    'due',
  ),
  user: fc.nat({ max: LINE.length - 1 }),
  other: fc.nat({ max: LINE.length - 1 }),
  units: fc.bigInt({ min: 1n, max: 900n * E18 }),
  hours: fc.integer({ min: 1, max: 100 }),
})
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never
const anyWalk = fc.record({
  steps: fc.array(anyStep, { minLength: 20, maxLength: 80 }),
  // So small a programme is empty within the walk.
  program: fc.constantFrom(0n, 7_000n, 30_000_000n * E18),
})

/** A ledger with a line of users, all linked and with RT, and the time. */
class Walk {
  readonly ledger = new MemoryLedger(START)
  passed = 0

  constructor(program: bigint) {
    this.ledger.add(RT_PROGRAM, 'RT', program)
    for (const [index, id] of LINE.entries()) {
      this.ledger.put(members, { id, activated_at: START, activation_order_id: null })
      this.ledger.add(userAccount(id, 'available'), 'RT', 3_000n * E18)
      this.ledger.execute(
        linkUid(RULES, { userId: id, parentId: LINE[index - 1] ?? null, uid: `12345${index}`, name: id, key }),
      )
    }
  }

  account = (id: string) => this.ledger.row(richAccounts, id) as RichAccountRow
  open = () => this.ledger.rows(richRequests).filter(({ status }) => status === 'Requested')

  run({ act, user, other, units, hours }: Step): void {
    const userId = LINE[user] as string
    const { ledger } = this
    switch (act) {
      case 'deposit':
        ledger.execute(depositRt(RULES, { userId, units, key }))
        return
      case 'request':
        ledger.execute(requestUpgrade(RULES, { userId, parentId: LINE[user - 1] ?? null, key }))
        return
      case 'approve': {
        // Every other time the inviter tries, so that many requests pass.
        const requester = LINE[hours % 2 === 0 ? user + 1 : other] ?? userId
        const requestId = this.account(requester).request_id
        const before = requestId === null ? undefined : ledger.row(richRequests, requestId)
        ledger.execute(approveUpgrade(RULES, { userId, requestId: requestId ?? 'none', key }))
        // Only the parent comes this far, and only with an open request.
        expect(before).toMatchObject({ status: 'Requested', parent_id: userId })
        this.passed += 1
        return
      }
      case 'leave':
        ledger.execute(stepDown(RULES, { userId, key }))
        return
      case 'take back':
        ledger.execute(takeBackRt(RULES, { userId, key }))
        return
      case 'collect':
        ledger.execute(collectRt(RULES, { userId, key }))
        return
      case 'release':
        ledger.execute(releaseRt(RULES, this.yesterday()))
        // The same day once more pays nothing.
        this.expectUnchanged(() => ledger.execute(releaseRt(RULES, this.yesterday())))
        return
      case 'wait':
        ledger.advance(hours * 3_600)
        return
      case 'due':
        ledger.execute(
          passDueRequests(
            RULES,
            this.open().map(({ id }) => id),
          ),
        )
        ledger.execute(returnDeposits(LINE))
    }
  }

  /** The last day that is over. */
  yesterday = () => addDays(hongKongDayOf(this.ledger.now), -1)
  earned = (id: string) => {
    const account = this.account(id)
    return earned(account, readProgram(this.ledger), readRiseIndex(this.ledger, account))
  }
  /** Runs the job and the desk at the start of the next day. */
  endDay(): void {
    this.ledger.now = boundsOfDay(hongKongDayOf(this.ledger.now)).closesAt
    this.ledger.execute(releaseRt(RULES, this.yesterday()))
  }
  deposit = (userId: string, rt: bigint) => this.ledger.execute(depositRt(RULES, { userId, units: rt * E18, key }))
  request = (userId: string) =>
    this.ledger.execute(requestUpgrade(RULES, { userId, parentId: LINE[LINE.indexOf(userId) - 1] ?? null, key }))

  expectUnchanged(act: () => unknown): void {
    const before = [this.ledger.balance(RT_PROGRAM, 'RT'), this.ledger.balance(RT_EARNINGS, 'RT')]
    act()
    expect([this.ledger.balance(RT_PROGRAM, 'RT'), this.ledger.balance(RT_EARNINGS, 'RT')]).toEqual(before)
  }

  /** The sums equal the accounts, each star has its deposit, and each account at most one open request. */
  expectBalanced(total: bigint): void {
    const accounts = this.ledger.rows(richAccounts)
    const program = readProgram(this.ledger)
    expect(this.ledger.balance(RT_EARNINGS, 'RT')).toBe(accounts.reduce((sum, { id }) => sum + this.earned(id), 0n))
    const counts = (account: RichAccountRow) =>
      readRiseIndex(this.ledger, account) === undefined ? account.weight : starWeight(account.star)
    expect(program.weight).toBe(accounts.reduce((sum, account) => sum + counts(account), 0n))
    const held = accounts.filter(({ steps_down_at: at }) => at === null)
    expect(program.next_weight).toBe(held.reduce((sum, { star }) => sum + starWeight(star), 0n))
    expect(program.accounts).toBe(accounts.filter(({ star }) => star > 0).length)
    expect(this.ledger.total('RT')).toBe(total)
    for (const { id, star } of accounts) {
      const deposit = this.ledger.balance(userAccount(id, 'rt_deposit'), 'RT')
      if (star > 0) expect(deposit).toBeGreaterThanOrEqual(requiredDeposit(star, RULES.firstDeposit))
    }
    const open = this.open()
    expect(open.map(({ id }) => id).toSorted()).toEqual(
      accounts.flatMap(({ request_id: id }) => (open.some((each) => each.id === id) ? [id] : [])).toSorted(),
    )
  }
}

test('a random walk keeps the books exact and the programme above zero', () => {
  let passed = 0
  let refused = 0
  fc.assert(
    fc.property(anyWalk, ({ steps, program }) => {
      const walk = new Walk(program)
      const total = walk.ledger.total('RT')
      // Requests that have ended never change.
      const ended = new Map<string, RequestRow>()
      for (const step of steps) {
        try {
          walk.run(step)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          refused += 1
        }
        walk.expectBalanced(total)
        for (const request of walk.ledger.rows(richRequests)) {
          if (ended.has(request.id)) expect(request).toEqual(ended.get(request.id))
          if (request.status !== 'Requested') ended.set(request.id, request)
        }
        expectOneStarADay([...ended.values()])
      }
      passed += walk.passed
    }),
    { numRuns: 150 },
  )
  // The search reaches both outcomes.
  expect(passed).toBeGreaterThan(0)
  expect(refused).toBeGreaterThan(100)
})

function expectOneStarADay(requests: readonly RequestRow[]): void {
  const days = requests.flatMap(({ user_id: user, passed_at: at }) =>
    at === null ? [] : `${user} ${hongKongDayOf(at)}`,
  )
  expect(days.filter((day, index) => days.indexOf(day) !== index)).toEqual([])
}

/** A line whose first two members have a deposit, and the first one a star from the first day. */
function startedWalk() {
  const walk = new Walk(30_000_000n * E18)
  const [top = '', lead = ''] = LINE
  for (const userId of [top, lead]) walk.deposit(userId, 200n)
  walk.request(top)
  return { walk, top, lead }
}

/**
 * @attack R16 A star that passes just before the release takes a share of the whole day.
 * @holds A star earns from the day after it passed: only stars that were held for the whole Hong Kong day count.
 */
test('a star earns from its first whole day', () => {
  const { walk, top, lead } = startedWalk()
  walk.endDay()
  expect(walk.earned(top)).toBe(0n)
  walk.endDay()
  expect(walk.earned(top)).toBe(E18 / 10n)
  // One second before midnight: star 2 counts one day later, star 1 still counts.
  walk.ledger.advance(86_399)
  walk.request(top)
  const { request_id: requestId } = walk.request(lead)
  walk.ledger.execute(approveUpgrade(RULES, { userId: top, requestId, key }))
  walk.endDay()
  expect([walk.earned(top), walk.earned(lead)]).toEqual([(2n * E18) / 10n, 0n])
  walk.endDay()
  expect([walk.earned(top), walk.earned(lead)]).toEqual([(4n * E18) / 10n, E18 / 10n])
})

/**
 * @attack R16 A star under notice goes on earning for seven days although its deposit is about to leave.
 * @holds A star earns nothing from the notice of stepping down on, the day of the notice included.
 */
test('a star under notice earns nothing, not even for its last day', () => {
  const { walk, top } = startedWalk()
  walk.endDay()
  walk.endDay()
  walk.ledger.advance(80_000)
  walk.ledger.execute(stepDown(RULES, { userId: top, key }))
  const before = walk.earned(top)
  for (let day = 0; day < 8; day++) walk.endDay()
  walk.ledger.execute(returnDeposits([top]))
  walk.endDay()
  expect(walk.earned(top)).toBe(before)
  expect(walk.account(top).star).toBe(0)
  walk.expectBalanced(walk.ledger.total('RT'))
})

test('a late job pays each day by the stars of that day', () => {
  const { walk, top, lead } = startedWalk()
  // The job did not run for two days: the changes of the third day count for none of them.
  walk.ledger.advance(2 * 86_400)
  const { request_id: requestId } = walk.request(lead)
  walk.ledger.execute(approveUpgrade(RULES, { userId: top, requestId, key }))
  walk.ledger.execute(stepDown(RULES, { userId: top, key }))
  expect([walk.earned(top), walk.earned(lead)]).toEqual([E18 / 10n, 0n])
  walk.ledger.execute(releaseRt(RULES, walk.yesterday()))
  expect([walk.earned(top), walk.earned(lead)]).toEqual([E18 / 10n, 0n])
})

/**
 * @attack R01 15,000,000 RT deposited without a star raise what the holders of stars earn.
 * @holds Deposits without a star earn nothing and count for nothing.
 */
test('a deposit without a star changes no share', () => {
  const [one, other] = [startedWalk(), startedWalk()]
  other.walk.ledger.add(userAccount(LINE[4] ?? '', 'available'), 'RT', 25_600n * E18)
  other.walk.deposit(LINE[4] ?? '', 25_600n)
  for (const { walk } of [one, other]) for (let day = 0; day < 3; day++) walk.endDay()
  expect(other.walk.earned(other.top)).toBe(one.walk.earned(one.top))
  expect(other.walk.earned(LINE[4] ?? '')).toBe(0n)
})

test('takes back what the star does not need, and withdraws its request', () => {
  const { walk, top, lead } = startedWalk()
  const { request_id: requestId } = walk.request(lead)
  const back = (userId: string) => walk.ledger.execute(takeBackRt(RULES, { userId, key }))
  expect(back(lead)).toMatchObject({ deposit: '0', spare: '0', wallet_balance: '3000', request: null })
  const approve = () => walk.ledger.execute(approveUpgrade(RULES, { userId: top, requestId, key }))
  expect(refusalOf(approve)).toMatchObject({ refusal: 'conflict', data: { reason: 'withdrawn' } })
  expect(back(top)).toMatchObject({ deposit: '100', star: 1, wallet_balance: '2900' })
  expect(refusalOf(() => back(top))).toMatchObject({ refusal: 'conflict', data: { reason: 'nothing_to_return' } })
})

/**
 * @attack S15 A parent gains by not answering: a star waited 72 h for each ancestor, while users without a parent got nine in a minute.
 * @holds After 72 h the system passes the request. Every account gets one star a day, by its parent or the system.
 */
test('a silent parent delays a star by 72 hours', () => {
  const { walk, top } = startedWalk()
  const last = LINE[4] ?? ''
  walk.deposit(last, 100n)
  const { request_id: id } = walk.request(last)
  const pass = () => walk.ledger.execute(passDueRequests(RULES, [id]))
  walk.ledger.advance(72 * 3_600 - 1)
  expect(pass()).toEqual({ passed: 0 })
  walk.ledger.advance(1)
  expect([pass(), pass()]).toEqual([{ passed: 1 }, { passed: 0 }])
  expect(walk.account(last).star).toBe(1)

  walk.request(top)
  expect(refusalOf(() => walk.request(top))).toMatchObject({ refusal: 'rt_deposit_missing', data: { missing: '200' } })
  walk.deposit(top, 200n)
  expect(refusalOf(() => walk.request(top))).toMatchObject({ refusal: 'not_open', data: { reason: 'one_star_a_day' } })
  walk.endDay()
  expect(walk.request(top)).toMatchObject({ star: 3, status: 'Passed', passed_by: 'system' })
})

/**
 * @attack S16 The first account that links a UID keeps it for good: without proof, and never released.
 * @holds The operator releases a UID that somebody else proves to be theirs, and that account can link it.
 */
test('a released UID can be linked by another account', () => {
  const { walk, top, lead } = startedWalk()
  const release = (uid: string) =>
    walk.ledger.execute({
      kind: 'operator_release_uid',
      owner: 'operator',
      payload: {},
      preload: [],
      decide(state, context) {
        const draft = new Draft(state)
        return draft.plan(releaseUid.decide(draft, context, { uid }))
      },
    })
  expect(release('123450')).toMatchObject({ isDone: true })
  expect(release('123450')).toMatchObject({ isDone: false })
  const link = (userId: string, uid: string) =>
    walk.ledger.execute(linkUid(RULES, { userId, parentId: null, uid, name: 'Name', key }))
  // The account keeps its star and what it earns, and is asked for another UID.
  expect(refusalOf(() => walk.request(top)).refusal).toBe('uid_not_linked')
  expect(refusalOf(() => link(lead, '123450'))).toMatchObject({ data: { reason: 'already_linked' } })
  const owner = `0x${'f'.repeat(40)}`
  walk.ledger.put(members, { id: owner, activated_at: START, activation_order_id: null })
  expect(link(owner, '123450')).toMatchObject({ uid: '123450', star: 0 })
  expect(refusalOf(() => link(top, '123450'))).toMatchObject({ data: { reason: 'uid_taken' } })
  expect(link(top, '999999')).toMatchObject({ uid: '999999', star: 1, deposit: '200' })
})
