import { Refusal } from '@clearwell/ledger/refusal'
import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { addDays, type HongKongDay } from '@clearwell/rules/hong-kong-day'
import { requiredDeposit, starWeight } from '@clearwell/rules/rich-star'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RT_EARNINGS, RT_PROGRAM, userAccount } from '../../platform/ledger/accounts.ts'
import { members } from '../../platform/ledger/members.ts'
import { linkUid } from './link-uid.ts'
import { collectRt, depositRt, returnDeposits } from './move-rt.ts'
import { releaseRt } from './release-rt.ts'
import { approveUpgrade, moveRequests, requestUpgrade, stepDown } from './request-upgrade.ts'
import { richConfig, richRules } from './rich.config.ts'
import { type RequestRow, type RichAccountRow, richAccounts, richRequests } from './rich.tables.ts'
import { earned, readProgram } from './rich-books.ts'

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
  day: HongKongDay = '2026-11-23'
  passed = 0

  constructor(program: bigint) {
    this.ledger.add(RT_PROGRAM, 'RT', program)
    for (const [index, id] of LINE.entries()) {
      this.ledger.put(members, { id, activated_at: START, activation_order_id: null })
      this.ledger.add(userAccount(id, 'available'), 'RT', 3_000n * E18)
      this.ledger.execute(linkUid(RULES, { userId: id, uid: `12345${index}`, name: id, key }))
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
        ledger.execute(approveUpgrade({ userId, requestId: requestId ?? 'none', key }))
        // Only the asked account comes this far, and only with an open request.
        expect(before).toMatchObject({ status: 'Requested', asked_id: userId })
        this.passed += 1
        return
      }
      case 'leave':
        ledger.execute(stepDown(RULES, { userId, key }))
        return
      case 'collect':
        ledger.execute(collectRt(RULES, { userId, key }))
        return
      case 'release':
        ledger.execute(releaseRt(RULES, this.day))
        // The same day once more pays nothing.
        this.expectUnchanged(() => ledger.execute(releaseRt(RULES, this.day)))
        return
      case 'wait':
        ledger.advance(hours * 3_600)
        this.day = addDays(this.day, 1)
        return
      case 'due':
        ledger.execute(
          moveRequests(
            RULES,
            this.open().map((request) => this.dueOf(request)),
          ),
        )
        ledger.execute(returnDeposits(LINE))
    }
  }

  /** The nearest ancestor with a higher star, as the store finds it. */
  dueOf({ id, asked_id: asked, user_id: userId }: RequestRow) {
    const above = LINE.slice(0, LINE.indexOf(asked ?? '')).toReversed()
    return { id, ancestorId: above.find((each) => this.account(each).star > this.account(userId).star) ?? null }
  }

  expectUnchanged(act: () => unknown): void {
    const before = [this.ledger.balance(RT_PROGRAM, 'RT'), this.ledger.balance(RT_EARNINGS, 'RT')]
    act()
    expect([this.ledger.balance(RT_PROGRAM, 'RT'), this.ledger.balance(RT_EARNINGS, 'RT')]).toEqual(before)
  }

  /** The sums equal the accounts, each star has its deposit, and each account at most one open request. */
  expectBalanced(total: bigint): void {
    const accounts = this.ledger.rows(richAccounts)
    const program = readProgram(this.ledger)
    const owed = accounts.reduce((sum, account) => sum + earned(account, program), 0n)
    expect(this.ledger.balance(RT_EARNINGS, 'RT')).toBe(owed)
    expect(program.weight).toBe(accounts.reduce((sum, { star }) => sum + starWeight(star), 0n))
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
      }
      passed += walk.passed
    }),
    { numRuns: 150 },
  )
  // The search reaches both outcomes.
  expect(passed).toBeGreaterThan(0)
  expect(refused).toBeGreaterThan(100)
})

test('an account earns by the level of each day, to the unit', () => {
  const walk = new Walk(30_000_000n * E18)
  const [top = '', lead = ''] = LINE
  for (const userId of [top, lead]) walk.ledger.execute(depositRt(RULES, { userId, units: 100n * E18, key }))
  walk.ledger.execute(requestUpgrade(RULES, { userId: top, parentId: null, key }))
  walk.ledger.execute(releaseRt(RULES, '2026-11-23'))
  const { request_id: requestId } = walk.ledger.execute(requestUpgrade(RULES, { userId: lead, parentId: top, key }))
  walk.ledger.execute(approveUpgrade({ userId: top, requestId, key }))
  walk.ledger.execute(releaseRt(RULES, '2026-11-24'))
  // By hand: 30,000,000 × 0.05 % = 15,000 for one; then 29,985,000 × 0.05 % = 14,992.5 for two.
  const of = (id: string) => earned(walk.account(id), readProgram(walk.ledger))
  expect([of(top), of(lead)]).toEqual([22_496_250n * 10n ** 15n, 7_496_250n * 10n ** 15n])
})
