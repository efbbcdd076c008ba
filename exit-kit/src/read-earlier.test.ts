import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { createClient, custom, decodeFunctionData, encodeFunctionResult, type Hex, toHex } from 'viem'
import { expect, test } from 'vitest'
import type { RootSlots } from './posted-roots.ts'
import { readEarlier } from './read-vault.ts'
import { VAULT } from './testing/sample-headers.ts'

/** The slot of each root is its place. */
const slotOf = (seq: number) => toHex(seq, { size: 32 })
const node = createClient({
  transport: custom({
    async request({ params }: { params: readonly [{ readonly data: Hex }] }) {
      const { args = [] } = decodeFunctionData({ abi: exitVaultAbi, data: params[0].data })
      return encodeFunctionResult({ abi: exitVaultAbi, functionName: 'rootAt', result: slotOf(Number(args[0])) })
    },
  }),
})

function slotsFrom(first: number, newest: number): RootSlots {
  const seqs = Array.from({ length: newest - first + 1 }, (_, i) => first + i)
  return { newest: { number: 1n, postedAt: 1, seq: newest }, at: new Map(seqs.map((seq) => [seq, slotOf(seq)])) }
}

test('reads earlier roots by pages, down to the first', async () => {
  // Root 7 was read on its own.
  const read = slotsFrom(1_301, 2_300)
  const first = await readEarlier(node, VAULT, { ...read, at: new Map([[7, slotOf(7)], ...read.at]) })
  expect([first?.at.size, first?.at.get(301), first?.at.get(300)]).toEqual([2_001, slotOf(301), undefined])
  const second = await readEarlier(node, VAULT, first as RootSlots)
  expect([second?.at.size, second?.at.get(1)]).toEqual([2_300, slotOf(1)])
  expect(await readEarlier(node, VAULT, second as RootSlots)).toBeUndefined()
})

test('stops after ten thousand roots', async () => {
  const most = await readEarlier(node, VAULT, slotsFrom(5_501, 15_000))
  expect([most?.at.size, most?.at.get(5_001)]).toEqual([10_000, slotOf(5_001)])
  expect(await readEarlier(node, VAULT, most as RootSlots)).toBeUndefined()
})
