import type { Hex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { createRpcChain, createRpcClient } from '../platform/chain/rpc-chain.ts'
import type { TestUser } from '../testing/server.ts'
import { findTransaction } from './find-transaction.ts'
import { shareOperatorWorld } from './testing/operator-world.ts'

const world = shareOperatorWorld()
let user: TestUser
beforeAll(async () => {
  user = await world.server.newUser()
}, 60_000)

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
