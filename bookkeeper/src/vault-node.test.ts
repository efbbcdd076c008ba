import { startExitVaultChain } from '@clearwell/server/src/platform/chain/testing/exit-vault-chain.ts'
import { getAddress, parseEther } from 'viem'
import { expect, test } from 'vitest'
import { createVaultNode, withoutPulls } from './vault-node.ts'

const event = (kind: 'deposited' | 'withdrawn' | 'transfer', index: number, tx = '0x01', asset = 'USDT') => {
  return { kind, index, tx, asset, account: '0xa1', units: '5' }
}

test('drops the last transfer before each deposit of its transaction', () => {
  const [plain, pull, deposit] = [event('transfer', 0), event('transfer', 1), event('deposited', 2)]
  expect(withoutPulls([plain, pull, deposit])).toEqual([plain, deposit])
  const [secondPull, second] = [event('transfer', 3), event('deposited', 4)]
  expect(withoutPulls([plain, pull, deposit, secondPull, second])).toEqual([plain, deposit, second])
})

test.each([
  ['another transaction', event('transfer', 0, '0x02')],
  ['another asset', event('transfer', 0, '0x01', 'ETH')],
])('keeps a transfer of %s', (_what, transfer) => {
  const deposit = event('deposited', 1)
  expect(withoutPulls([transfer, deposit])).toEqual([transfer, deposit])
})

test('keeps a transfer after a deposit, and those beside a payment', () => {
  const late = [event('deposited', 0), event('transfer', 1)]
  expect(withoutPulls(late)).toEqual(late)
  const paid = [event('transfer', 0), event('withdrawn', 1)]
  expect(withoutPulls(paid)).toEqual(paid)
})

test('reads requests and cancels of exits from the contract', async () => {
  const account = getAddress(`0x${'a1'.repeat(20)}`)
  const chain = await startExitVaultChain({ rootKey: `0x${'51'.repeat(20)}`, payout: `0x${'0e'.repeat(20)}` })
  try {
    await chain.give(account, parseEther('1'))
    const times: number[] = []
    for (const call of ['requestExit', 'cancelExit', 'requestExit']) {
      await chain.call(account, call)
      times.push((await chain.time()).getTime() / 1_000)
    }
    const head = { chainId: 31_337, vault: chain.vault, operator: '', tokens: chain.tokens, depth: 20 }
    const node = createVaultNode(chain.rpcUrl, head)
    const own = { account: account.toLowerCase() }
    expect(await node.acts({ from: chain.vaultBlock, to: await node.head() })).toEqual([
      { kind: 'requested', ...own, at: times[0] },
      { kind: 'cancelled', ...own },
      { kind: 'requested', ...own, at: times[2] },
    ])
    expect(await node.acts({ from: chain.vaultBlock, to: chain.vaultBlock })).toEqual([])
  } finally {
    await chain.stop()
  }
}, 60_000)
