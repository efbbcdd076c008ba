import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import {
  createClient,
  custom,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  type TransactionReceipt,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { Pending } from './canary-store.ts'
import { faultOf, type Sender } from './transactions.ts'

const account = privateKeyToAccount(`0x${'ca'.repeat(32)}`)
const [vault, token] = [`0x${'c1'.repeat(20)}`, `0x${'00'.repeat(20)}`] as [Hex, Hex]
const FEES = 21n

/** A payment of 1,000 units that has an event of `stated` units, after which the account has `now` units; before it had 500. */
function check({ stated, now, status = 'success' }: { stated: bigint; now: bigint; status?: 'success' | 'reverted' }) {
  const topics = encodeEventTopics({
    abi: exitVaultAbi,
    eventName: 'Exited',
    args: { account: account.address, asset: token },
  })
  const data = encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'address' }, { type: 'uint40' }],
    [stated, account.address, 3],
  )
  const receipt = {
    ...{ status, blockNumber: 9n, gasUsed: 7n, effectiveGasPrice: 3n, logs: [{ address: vault, topics, data }] },
  } as unknown as TransactionReceipt
  const node = createClient({ transport: custom({ request: async () => toHex(now) }) })
  const sender = { node, account, vault } as unknown as Sender
  return faultOf(sender, { kind: 'finish', token, amount: '1000', before: '500' } as Pending, receipt)
}

test.each([
  [{ stated: 1_000n, now: 1_500n - FEES }, { received: 1_000n }],
  // Another account has sent a gift.
  [{ stated: 1_000n, now: 1_501n - FEES }, { received: 1_000n }],
  [
    { stated: 999n, now: 1_499n - FEES },
    { received: 999n, why: 'the vault paid 999 of 1000' },
  ],
  [
    { stated: 1_000n, now: 1_499n - FEES },
    { received: 999n, why: '999 of 1000 arrived' },
  ],
  [{ stated: 0n, now: 500n - FEES, status: 'reverted' as const }, { why: 'the transaction failed in block 9' }],
])('a payment is compared to the unit (%#)', async (paid, outcome) => {
  expect(await check(paid)).toEqual(outcome)
})
