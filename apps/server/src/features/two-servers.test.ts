import type { Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { findLendingFaults } from '../domain/lending/check-lending.ts'
import { controlChain, expectCustodyExact } from '../platform/chain/testing/local-chain.ts'
import { testStreamOnTwoServers } from '../platform/stream/testing/test-stream-on-two-servers.ts'
import { newMember } from '../testing/new-member.ts'
import { newKey, type TestServer, type TestUser } from '../testing/server.ts'
import { canShareLedger, shareTwoServers } from '../testing/two-servers.ts'
import { findHubFaults } from './rich/check-hub.ts'

/** So many that a payment shows as pending for a while. */
const CONFIRMATIONS = 5
const LOAN = { collateral_asset: 'BNB', borrow_asset: 'USDT', term_days: 7 } as const

const codes = (replies: readonly { code: number }[]) => replies.map(({ code }) => code).toSorted((a, b) => a - b)
const pledge = (server: TestServer, { token }: TestUser, amount: string) =>
  server.ok('pledge', { asset: 'USDT', amount }, { token, key: newKey() })
/** The simulated price moves on, so a loan at the very limit of it would sometimes be refused. */
const setPrice = (server: TestServer, price: string) => server.ok('localPrice', { symbol: 'BNBUSDT', price })

const servers = shareTwoServers(({ chain }) => Object.assign(chain, { confirmations: CONFIRMATIONS }))

describe.runIf(canShareLedger)('while both run', () => {
  /** A member with RT of the pool. */
  async function newHubMember(server: TestServer, pid?: string): Promise<TestUser> {
    const user = await server.newUser(pid === undefined ? {} : { pid })
    const { token } = user
    await user.transferIn('USDT', '1000')
    await user.activateByBalance()
    const swap = { pool_id: 'rt-usdt', amount: '200', inverse: 1, exact: 'out', max_amount_in: '900' } as const
    await server.ok('doSwap', { ...swap, deadline: '2099-01-01T00:00:00Z' }, { token, key: newKey() })
    return user
  }

  test('two servers race for one UID, one request and one step down', async () => {
    const { writing, other } = servers
    const parent = await newHubMember(writing)
    const { invite_code } = await writing.ok('userinfo', {}, { token: parent.token })
    const [child, rival] = [await newHubMember(writing, invite_code), await newHubMember(writing, invite_code)]
    const link = (server: TestServer, { token }: TestUser) =>
      server.call('linkUid', { uid: '777777', name: 'Name' }, { token, key: newKey() })
    const links = await Promise.all([link(writing, child), link(other, rival)])
    expect(codes(links)).toEqual([1, 20010])
    const { token } = links[0]?.code === 1 ? child : rival

    // One deposit of all RT, asked for twice: once, and with one key the same response from both.
    const deposit = (server: TestServer, key = newKey()) => server.call('depositRt', { amount: '150' }, { token, key })
    expect(codes(await Promise.all([deposit(writing), deposit(other)]))).toEqual([1, 20002])
    const key = newKey()
    const ask = (server: TestServer, each = newKey()) => server.call('requestUpgrade', {}, { token, key: each })
    const asked = await Promise.all([ask(writing, key), ask(other, key), ask(other), ask(writing)])
    expect(codes(asked)).toEqual([1, 1, 20010, 20010])
    const { request_id } = asked[0]!.data
    expect(asked[1]!.data).toEqual(asked[0]!.data)

    const approve = (server: TestServer) =>
      server.call('approveUpgrade', { request_id }, { token: parent.token, key: newKey() })
    const leave = (server: TestServer) => server.call('stepDown', {}, { token, key: newKey() })
    const race = await Promise.all([approve(writing), approve(other), leave(other), leave(writing), ask(other)])
    expect(codes(race.slice(0, 2)).at(-1)).toBe(20010)
    expect(codes(race.slice(2, 4))).toEqual([1, 20010])
    expect(race[4]?.code).toBe(20010)
    const { star, step_down, request } = await other.ok('richOverview', {}, { token })
    // Either the approval was first, or the request was withdrawn.
    const isPassed = race.slice(0, 2).some(({ code }) => code === 1)
    expect([star, request?.status]).toEqual(isPassed ? [1, 'Passed'] : [0, undefined])
    expect(step_down?.amount).toBe('150')
    expect(await findHubFaults(other.db)).toEqual([])
  }, 60_000)

  test('two servers race for one order and the last of a limit', async () => {
    const { writing, other } = servers
    const pledger = await newMember(writing, { USDT: '750' })
    await pledge(writing, pledger, '750')
    const borrower = await newMember(writing, { BNB: '3', USDT: '400' })
    const { token } = borrower
    await setPrice(writing, '600')
    const borrow = (server: TestServer) =>
      server.call('lend', { ...LOAN, collateral_amount: '1', borrow_amount: '149' }, { token, key: newKey() })

    // An account takes at most two fifths of the pool, 300: of three loans of 149, two.
    const first = (await borrow(writing)).data.order_id
    const loans = await Promise.all([borrow(writing), borrow(other)])
    expect(codes(loans)).toEqual([1, 20006])
    expect(loans.find(({ code }) => code === 20006)?.data).toMatchObject({ reason: 'account_cap' })
    await writing.ok('repay', { order_id: first, amount: 'all' }, { token, key: newKey() })
    const { order_id } = loans.find(({ code }) => code === 1)!.data

    // One order is repaid, cured and repaid again at the same moment, and one request is sent to both servers.
    const key = newKey()
    const repay = (server: TestServer, each = newKey()) =>
      server.call('repay', { order_id, amount: 'all' }, { token, key: each })
    const race = await Promise.all([
      repay(writing, key),
      repay(other, key),
      other.call('addCollateral', { order_id, amount: '1' }, { token, key: newKey() }),
      repay(other),
    ])
    const paid = race.filter(({ code, data }) => code === 1 && data.status === 1)
    expect(paid.length).toBeGreaterThanOrEqual(1)
    expect([race[0].code, race[1].code]).toEqual([race[0].code, race[0].code])
    expect(race[0].data).toEqual(race[1].data)
    for (const { code } of race) expect([1, 20010]).toContain(code)
    // All collateral is back and the debt was paid once.
    expect(await borrower.available('BNB')).toBe('3')
    expect(Number(await borrower.available('USDT'))).toBeCloseTo(400, 3)

    // A pledge is withdrawn on both servers: once.
    const withdraw = (server: TestServer) =>
      server.call('unpledge', { asset: 'USDT', amount: '600' }, { token: pledger.token, key: newKey() })
    expect(codes(await Promise.all([withdraw(writing), withdraw(other)]))).toEqual([1, 20001])
    expect(await findLendingFaults(other.db)).toEqual([])
  }, 60_000)

  test('both servers show the same unconfirmed payments', async () => {
    const { writing, other, rpcUrl } = servers
    const user = await writing.newUser()
    const { token, account } = user
    const control = controlChain({ rpcUrl, chainId: writing.config.chain.id })
    /** Reads every list of payments, on both servers. */
    const lists = async () => {
      const read = async (server: TestServer) => ({
        buy: (await server.ok('buyOrders', {}, { token })).items[0]?.status,
        sell: (await server.ok('sellOrders', {}, { token })).items[0]?.status,
        active: (await server.ok('getActiveStatus', {}, { token })).order?.status,
        transactions: (await server.ok('transactions', {}, { token })).items,
      })
      const [first, second] = [await read(writing), await read(other)]
      expect(second).toEqual(first)
      return { ...first, transactions: first.transactions.map(({ status }) => status) }
    }
    const confirm = async () => {
      await control.mine(CONFIRMATIONS)
      await writing.watcher.poll()
    }
    await user.pay('BNB', await writing.ok('buy', { asset: 'BNB', amount: '2' }, { token }))
    const activation = await writing.ok('active', {}, { token })
    await user.pay(activation.asset as 'USDT', activation)
    expect(await lists()).toMatchObject({ buy: 'created', active: 'created', transactions: [] })
    await writing.watcher.poll()
    await other.watcher.poll()
    expect(await lists()).toMatchObject({ buy: 'seen', active: 'seen', transactions: ['pending', 'pending'] })
    await confirm()
    expect(await lists()).toMatchObject({ buy: 'credited', transactions: ['confirmed', 'confirmed'] })

    const { to, calldata } = await writing.ok('sell', { asset: 'BNB', amount: '1' }, { token, key: newKey() })
    const wallet = control.wallet(account)
    const call = { to: to as Hex, data: calldata as Hex, account, chain: wallet.chain }
    await control.receipt(await wallet.sendTransaction(call))
    expect(await lists()).toMatchObject({ sell: 'signed' })
    await writing.watcher.poll()
    expect(await lists()).toMatchObject({ sell: 'submitted', transactions: ['pending', 'confirmed', 'confirmed'] })
    await confirm()
    expect(await lists()).toMatchObject({ sell: 'completed', transactions: ['confirmed', 'confirmed', 'confirmed'] })
    expect(await other.db.query('select 1 from pending_movements')).toEqual([])

    // A follower shows the leader's last comparison with the vault.
    await writing.solvency.check()
    const { age_seconds: _age, ...proof } = await writing.ok('proofReserves', {})
    expect(proof).toMatchObject({ healthy: true, block_number: expect.any(Number) })
    expect(await other.ok('proofReserves', {})).toMatchObject(proof)
  })

  test('two servers make one box a day, also over midnight', async () => {
    const { writing, other } = servers
    const { token, id } = await newMember(writing, {})
    const click = (server: TestServer, key: string) => server.call('clickBox', {}, { token, key })
    /** Three tabs on two servers at the same moment; the first repeats its click on the other server. */
    const race = async (day: string) => {
      const replies = await Promise.all([
        click(writing, `tab-one-${day}`),
        click(other, `tab-one-${day}`),
        click(other, `tab-two-${day}`),
        click(writing, `tab-three-${day}`),
      ])
      expect(replies[1]).toEqual(replies[0])
      const made = replies.filter(({ code }) => code === 1)
      expect(new Set(made.map(({ data }) => data.box.box_id)).size).toBe(1)
      for (const { code } of replies) expect([1, 20008]).toContain(code)
      return made[0]?.data.box.box_id
    }
    const boxes = [await race('first-day')]
    const [{ ends_at }, { time }] = [await writing.ok('boxRules', {}), await writing.ok('config', {})]
    const seconds = Math.ceil((Date.parse(ends_at) - Date.parse(time)) / 1_000)
    // The clock of the other server stays behind on the first day: the writer's day counts.
    await writing.ok('localAdvance', { seconds })
    boxes.push(await race('second-day'))
    const rows = await other.db.query<{ id: string; streak: number }>(
      'select id, streak from boxes where user_id = $1 order by day',
      [id],
    )
    expect(rows).toEqual(boxes.map((box, streak) => ({ id: box, streak })))
    await other.ok('localAdvance', { seconds })
  }, 60_000)
})

describe.runIf(canShareLedger)('the stream', () => testStreamOnTwoServers(servers))

/** The last test of each kind needs what the one before it left. */
describe.runIf(canShareLedger)('when the leader stops', () => {
  const sellKey = newKey()
  const sell = (server: TestServer, { token }: TestUser, key: string) =>
    server.ok('sell', { asset: 'BNB', amount: '1' }, { token, key })
  const ordersOf = async (server: TestServer, { token }: TestUser) =>
    (await server.ok('sellOrders', {}, { token })).items
  const liquidate = (server: TestServer, { token }: TestUser, order_id: string, key = newKey()) =>
    server.call('liquidate', { order_id, max_debt: '400' }, { token, key })
  const sideOf = async (server: TestServer, { token }: TestUser, order_id: string) =>
    (await server.ok('liquidationReceipt', { order_id }, { token })).items[0]?.side

  let payee: TestUser
  let winner: TestUser
  let loser: TestUser
  /** Loans of one borrower: the first is cleared before the takeover, the second after it. */
  let loanIds: [string, string]
  beforeAll(async () => {
    const { writing } = servers
    payee = await writing.newUser()
    await payee.transferIn('BNB', '5')
    await pledge(writing, await newMember(writing, { USDT: '3000' }), '3000')
    const { token } = await newMember(writing, { BNB: '2' })
    const borrow = async () => {
      await setPrice(writing, '601')
      const amounts = { collateral_amount: '1', borrow_amount: '390' }
      return (await writing.ok('lend', { ...LOAN, ...amounts }, { token, key: newKey() })).order_id
    }
    loanIds = [await borrow(), await borrow()]
    await setPrice(writing, '460')
  })

  test('one of two liquidators wins, and a retry returns the response', async () => {
    const { writing, other } = servers
    const [first, second] = [await newMember(writing, { USDT: '800' }), await newMember(writing, { USDT: '800' })]
    const keys = [newKey(), newKey()] as const
    const race = await Promise.all([
      liquidate(writing, first, loanIds[0], keys[0]),
      liquidate(other, second, loanIds[0], keys[1]),
    ])
    expect(codes(race)).toEqual([1, 20010])
    const wonBy = race[0].code === 1 ? 0 : 1
    ;[winner, loser] = wonBy === 0 ? [first, second] : [second, first]
    expect(await loser.available('USDT')).toBe('800')
    const again = await liquidate(wonBy === 0 ? other : writing, winner, loanIds[0], keys[wonBy])
    expect(again.data).toEqual(race[wonBy].data)
  }, 60_000)

  test('a follower forwards a transfer out to the leader, which signs once', async () => {
    const { writing, other } = servers
    const order = await sell(writing, payee, sellKey)
    expect(await ordersOf(other, payee)).toEqual([order])
    expect(await sell(other, payee, sellKey)).toEqual(order)
    await other.watcher.poll()
    const signed = await other.db.query('select 1 from signed_vouchers where account = $1', [payee.id])
    expect(signed).toHaveLength(1)
  })

  test('the follower signs what the leader left locked, and both pay', async () => {
    const { writing, other, rpcUrl } = servers
    const [order] = await ordersOf(writing, payee)
    // Looks like a crash between the lock and the signature in the ledger.
    const lost = await sell(writing, payee, newKey())
    await other.db.query(`update withdrawal_orders set status = 'locked', signature = null where id = $1`, [
      lost.order_id,
    ])
    await writing.stop()
    // The other server takes over and settles the order.
    await expect.poll(() => ordersOf(other, payee)).toEqual([lost, order])
    const listed = await ordersOf(other, payee)
    expect(await sell(other, payee, sellKey)).toEqual(order)
    const control = controlChain({ rpcUrl, chainId: other.config.chain.id })
    const { account } = payee
    const wallet = control.wallet(account)
    for (const { to, calldata } of listed) {
      const call = { to: to as Hex, data: calldata as Hex, account, chain: wallet.chain }
      expect((await control.receipt(await wallet.sendTransaction(call))).status).toBe('success')
    }
    await control.mine(CONFIRMATIONS)
    await other.watcher.poll()
    expect(await ordersOf(other, payee)).toMatchObject([
      { order_id: lost.order_id, status: 'completed' },
      { order_id: order?.order_id, status: 'completed' },
    ])
    await expectCustodyExact(other)
  }, 60_000)

  test('the follower keeps the liquidation, and clears the next order', async () => {
    const { other } = servers
    const [cleared, next] = loanIds
    await expect.poll(async () => (await liquidate(other, loser, cleared)).code).toBe(20010)
    expect(await sideOf(other, winner, cleared)).toBe('liquidator')
    await setPrice(other, '460')
    expect((await liquidate(other, loser, next)).code).toBe(1)
    expect(await sideOf(other, loser, next)).toBe('liquidator')
  }, 60_000)
})
