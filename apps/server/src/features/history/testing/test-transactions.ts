import { type Hex, parseEther } from 'viem'
import { expect, test } from 'vitest'
import type { controlChain } from '../../../platform/chain/testing/local-chain.ts'
import type { TestServer, TestUser } from '../../../testing/server.ts'

interface TransactionsWorld {
  readonly server: TestServer
  readonly control: ReturnType<typeof controlChain>
  /** A user without transactions. */
  readonly payer: TestUser
  readonly confirmations: number
  readonly explorer: string
}

/** Tests the list of transactions on the server of its feature, whose watcher reads blocks on request only. */
export function testTransactions(world: () => TransactionsWorld): void {
  /** Mines blocks until everything is confirmed, and lets the watcher read them. */
  async function confirmAll(): Promise<void> {
    await world().control.mine(world().confirmations)
    await world().server.watcher.poll()
  }
  /** Sends from the user's wallet and waits for the block. */
  async function send(call: { to: Hex; data?: Hex; value?: bigint }): Promise<Hex> {
    const wallet = world().control.wallet(world().payer.account)
    const hash = await wallet.sendTransaction({ ...call, account: world().payer.account, chain: wallet.chain })
    expect((await world().control.receipt(hash)).status).toBe('success')
    return hash
  }
  const list = async (payload: { cursor?: string; limit?: number } = {}) =>
    world().server.ok('transactions', payload, { token: world().payer.token })

  test('returns an empty list for a new user', async () => {
    expect(await list()).toEqual({ items: [], next_cursor: null })
  })

  test('a deposit is pending, then confirmed, with order and explorer link', async () => {
    const order = await world().server.ok('buy', { asset: 'USDT', amount: '500' }, { token: world().payer.token })
    const hash = await world().payer.pay('USDT', order)
    await world().server.watcher.poll()
    const { timestamp } = await world().control.client.getBlock()
    const item = {
      kind: 'transfer_in',
      asset: 'USDT',
      amount: '500',
      tx_hash: hash,
      explorer_url: `${world().explorer}/tx/${hash}`,
      required: world().confirmations,
      order_id: order.order_id,
    }
    const created_at = new Date(Number(timestamp) * 1000).toISOString()
    expect((await list()).items).toEqual([{ ...item, status: 'pending', confirmations: 1, created_at }])
    await world().control.mine(1)
    await world().server.watcher.poll()
    expect((await list()).items).toEqual([{ ...item, status: 'pending', confirmations: 2, created_at }])
    await confirmAll()
    expect((await list()).items).toEqual([
      { ...item, status: 'confirmed', confirmations: world().confirmations, created_at: expect.any(String) },
    ])
  })

  test('an activation has its own kind while pending and confirmed', async () => {
    const call = await world().server.ok('active', {}, { token: world().payer.token })
    await world().payer.pay('USDT', call as never)
    await send({ to: world().server.custody.vault, value: parseEther('4') })
    await world().server.watcher.poll()
    const kinds = async () =>
      (await list()).items.slice(0, 2).map(({ kind, status, order_id }) => `${kind} ${status} ${order_id !== null}`)
    expect((await kinds()).sort()).toEqual(['activation pending true', 'transfer_in pending false'])
    await confirmAll()
    expect((await kinds()).sort()).toEqual(['activation confirmed true', 'transfer_in confirmed false'])
  })

  test('a transfer out on the chain is pending, then confirmed', async () => {
    const order = await world().server.ok('sell', { asset: 'BNB', amount: '1.5' }, { token: world().payer.token })
    expect((await list()).items.map((item) => item.kind)).not.toContain('transfer_out')
    const hash = await send({ to: order.to as Hex, data: order.calldata as Hex })
    await world().server.watcher.poll()
    const item = { kind: 'transfer_out', asset: 'BNB', amount: '1.5', tx_hash: hash, order_id: order.order_id }
    expect((await list()).items.filter((each) => each.kind === 'transfer_out')).toMatchObject([
      { ...item, status: 'pending', confirmations: 1 },
    ])
    await confirmAll()
    expect((await list()).items.filter((each) => each.kind === 'transfer_out')).toMatchObject([
      { ...item, status: 'confirmed', confirmations: world().confirmations },
    ])
  })

  test('pages of one add up to the whole list with pending payments', async () => {
    for (const value of ['0.1', '0.2']) await send({ to: world().server.custody.vault, value: parseEther(value) })
    await world().server.watcher.poll()
    const whole = (await list({ limit: 100 })).items
    expect(whole).toHaveLength(6)
    const listed = whole.map(({ status, kind, amount }) => `${status} ${kind} ${amount}`)
    expect([...listed.slice(0, 3), listed[5]]).toEqual([
      'pending transfer_in 0.2',
      'pending transfer_in 0.1',
      'confirmed transfer_out 1.5',
      'confirmed transfer_in 500',
    ])
    // Both were confirmed in the same block.
    expect(listed.slice(3, 5).toSorted()).toEqual(['confirmed activation 10', 'confirmed transfer_in 4'])
    const paged: typeof whole = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof list>> = await list({ limit: 1, ...(cursor ? { cursor } : {}) })
      expect(page.items).toHaveLength(1)
      paged.push(...page.items)
      cursor = page.next_cursor
    }
    expect(paged).toEqual(whole)
  })

  test('users see only their own transactions, and invalid cursors are rejected', async () => {
    const other = await world().server.newUser({ faucet: false })
    expect((await world().server.ok('transactions', {}, { token: other.token })).items).toEqual([])
    const reply = await world().server.call('transactions', { cursor: 'what' }, { token: world().payer.token })
    expect(reply).toMatchObject({ status: 400, code: 20000, data: { fields: { cursor: expect.any(String) } } })
  })
}
