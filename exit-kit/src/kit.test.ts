import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hex } from 'viem'
import { expect, it } from 'vitest'
import { createKit } from './kit.ts'
import { sampleData, sampleHeader } from './testing/sample-headers.ts'

const address = (digit: string) => `0x${digit.repeat(40)}`

it('shows no read of an account that was replaced meanwhile', async () => {
  const asked = Promise.withResolvers<void>()
  const chosen = Promise.withResolvers<void>()
  const node = createServer(async (_, response) => {
    asked.resolve()
    await chosen.promise
    // No answer of a vault: a page shows it as a fault.
    response.setHeader('content-type', 'application/json').end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const kit = createKit('en', () => {})
  await kit.setField('account', address('1'))
  await kit.setField('vault', address('2'))
  kit.chooseNode(`http://127.0.0.1:${(node.address() as AddressInfo).port}`)

  const first = kit.read()
  await asked.promise
  await kit.setField('account', address('3'))
  chosen.resolve()
  await first
  expect(kit.state.reading).toBeUndefined()
  await kit.read()
  expect(kit.state.reading).toMatchObject({ kind: 'unknown' })
  await new Promise((resolve) => node.close(resolve))
})

it('is loading until every chosen file is read', async () => {
  const shown: boolean[] = []
  const kit = createKit('en', () => shown.push(kit.state.isLoading))
  const held = Promise.withResolvers<string>()
  const file = (name: string, text: () => Promise<string>) => Object.assign(new Blob(['{}']), { name, text })
  const both = kit.addAllChosen([file('a.json', async () => '{}'), file('b.json', () => held.promise)])
  await kit.addAllChosen([file('c.json', async () => '{}')])
  expect(kit.state.isLoading).toBe(true)
  held.resolve('{}')
  await both
  expect(kit.state).toMatchObject({ isLoading: false, unknownFile: 'b.json' })
  expect(shown.slice(0, -1)).not.toContain(false)
})

it('takes the newest path of the vault that it reads', async () => {
  const next = address('c')
  const [old, moved] = await Promise.all([sampleHeader(7, { BNB: 5n }), sampleHeader(9, { BNB: 5n }, next as Hex)])
  const kit = createKit('en', () => {})
  await kit.addFile('copy', JSON.stringify({ ...sampleData([old, moved]), format: 'clearwell exit 1' }))
  const check = () => [kit.state.check?.signed.number, kit.state.check?.faults]
  expect(check()).toEqual(['7', []])
  await kit.setField('vault', next)
  expect(check()).toEqual(['9', []])
  // Of an unknown vault every header is wrong.
  await kit.setField('vault', address('d'))
  expect(check()).toEqual(['9', ['hash']])
})
