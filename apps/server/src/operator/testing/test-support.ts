import type { Hex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { createRpcChain, createRpcClient } from '../../platform/chain/rpc-chain.ts'
import type { TestUser } from '../../testing/server.ts'
import { findTransaction } from '../find-transaction.ts'
import type { OperatorWorld } from './operator-world.ts'

/** Tests of the commands of support. They leave a user with 2 BNB. */
export function testSupport(world: OperatorWorld): void {
  let user: TestUser
  beforeAll(async () => {
    await world.resume()
    user = await world.server.newUser()
  })

  test('tx follows a payment from the chain to the ledger', async () => {
    const { server, control } = world
    const { id } = server.config.chain
    const confirmations = 3
    const client = createRpcClient(server.rpcUrl)
    const chain = createRpcChain(client, id, server.custody)
    const find = (hash: Hex) => findTransaction({ db: server.db, chain, client, confirmations }, hash)
    expect(await find(`0x${'7'.repeat(64)}`)).toMatchObject({ state: 'unseen', accounts: [] })
    const order = await server.ok('buy', { asset: 'BNB', amount: '2' }, { token: user.token })
    const hash = await user.pay('BNB', order)
    const counted = `2 BNB of ${user.id}: 1 of 3 confirmations.`
    expect(await find(hash)).toEqual({ state: 'confirming', text: counted, accounts: [user.id] })
    await control.mine(confirmations)
    expect(await find(hash)).toMatchObject({ state: 'unread', text: expect.stringContaining('the watcher has read ') })
    await server.watcher.poll()
    const credited = expect.stringContaining(`2 BNB of ${user.id}, credited at `)
    expect(await find(hash)).toEqual({ state: 'credited', text: credited, accounts: [user.id] })
  }, 60_000)

  test('sessions revoke signs an account out, and a new session stays', async () => {
    const { account } = user
    await world.operator('sessions', 'revoke', account.address, '--reason', 'a lost phone', '--execute')
    await world.resume()
    await world.server.ok('localAdvance', { seconds: 6 })
    expect(await world.server.call('userinfo', {}, { token: user.token })).toMatchObject({ code: 10001 })
    const { nonceStr } = await world.server.ok('getNonce', { address: account.address })
    const signature = await account.signMessage({ message: nonceStr })
    const { token } = await world.server.ok('login', { address: account.address, signature })
    await world.operator('sessions', 'revoke', `0x${'3'.repeat(40)}`, '--reason', 'another', '--execute')
    await world.resume()
    await world.server.ok('localAdvance', { seconds: 6 })
    expect((await world.server.call('userinfo', {}, { token })).code).toBe(1)
  }, 60_000)

  test('user shows an account, and its user sees the look', async () => {
    const { account } = user
    const other = await world.server.newUser()
    const looked = await world.operator('user', account.address, '--reason', 'a missing deposit, ticket 81', '--json')
    expect(looked).toMatchObject({ code: 0, stderr: '' })
    const { account: shown, events, request } = JSON.parse(looked.stdout)
    expect(shown).toMatchObject({ address: user.id, balances: [{ place: 'available', asset: 'BNB', amount: '2' }] })
    const texts = (events as { kind: string; text: string }[]).map(({ kind, text }) => `${kind}: ${text}`)
    expect(texts).toEqual(
      expect.arrayContaining([
        'operator: view_account  by support: a missing deposit, ticket 81',
        'operator: revoke_sessions  by support: a lost phone',
        expect.stringMatching(/^notice: sessions_revoked {2}/),
        expect.stringMatching(/^order: payment credited {2}2 BNB {2}0x/),
        expect.stringMatching(/^entry: deposit {2}2 BNB, then 2 available {2}entry \d+, 0x/),
        expect.stringMatching(/^session: signed in {2}/),
      ]),
    )
    expect(texts.at(-1)).toMatch(/^sign-up: signed up/)

    // The recorded look continues; one of another account does not.
    const [newest] = events as { at: string }[]
    const older = await world.run(['user', user.id, '--request', request, '--before', newest?.at ?? ''])
    expect(older).toMatchObject({ code: 0, stdout: expect.not.stringContaining('view_account') })
    expect((await world.run(['user', other.id, '--request', request])).code).toBe(1)

    await world.resume()
    const { nonceStr } = await world.server.ok('getNonce', { address: account.address })
    const { token } = await world.server.ok('login', {
      address: account.address,
      signature: await account.signMessage({ message: nonceStr }),
    })
    const { items } = await world.server.ok('acts', {}, { token })
    expect(items).toMatchObject([
      { kind: 'view_account', role: 'support', persons: 1, reason: 'a missing deposit, ticket 81' },
      { kind: 'revoke_sessions', role: 'support', persons: 1, reason: 'a lost phone' },
    ])
    expect((await world.server.ok('acts', {}, { token: other.token })).items).toEqual([])
  }, 60_000)
}
