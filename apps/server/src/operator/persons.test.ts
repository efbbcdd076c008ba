import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { shareOperatorWorld } from './testing/operator-world.ts'
import { commandsOf } from './testing/runbook.ts'
import { testSupport } from './testing/test-support.ts'

const world = shareOperatorWorld()
/** The local owners' keys, which every local chain publishes. */
const OWNER = '0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6'
const SECOND = '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97'
const RISK = `0x${'4'.repeat(64)}` as const
const risk = privateKeyToAccount(RISK)

const as = (key: string, ...args: string[]) => world.run(args, { OPERATOR_KEY: key })
const suspend = (pool: string) => ['pools', 'suspend', pool, '--reason', 'the token moves', '--execute']
const resume = (pool: string) => ['pools', 'resume', pool, '--reason', 'it has moved', '--execute']
/** The request that waits. */
async function waitingId(): Promise<string> {
  const { requests } = JSON.parse((await world.run(['requests', '--json'])).stdout)
  return requests.at(-1).id
}

beforeAll(async () => {
  await world.pause()
  const set = ['persons', 'set', risk.address, 'Ren of risk', '--roles', 'risk', '--reason', 'on call', '--execute']
  expect(await as(OWNER, ...set)).toMatchObject({ code: 3, stdout: expect.stringContaining('one more person') })
  expect((await as(SECOND, 'approve', await waitingId(), '--execute')).stdout).toMatch(/has the roles risk\.\n$/)
})

test('one person stops a pool, and a second one lets it trade', async () => {
  expect(await as(RISK, ...suspend('eth-usdt'))).toMatchObject({ code: 0, stdout: 'eth-usdt is suspended.\n' })
  expect(await as(RISK, ...resume('eth-usdt'))).toMatchObject({ code: 3 })
  const id = await waitingId()
  expect((await world.run(['requests'])).stdout).toContain(`${id}  change_pool  signed by Ren of risk (0x`)
  expect(await as(RISK, 'approve', id, '--execute')).toMatchObject({ code: 1 })
  expect((await world.run(['pools'])).stdout).toMatch(/^eth-usdt {2}suspended/m)
  const shown = await as(OWNER, 'approve', id)
  expect(shown.stdout).toMatch(/^Clearwell operator request\n\nAction: change_pool\n[\s\S]*\neth-usdt is resumed\.\n$/)
  expect(await as(OWNER, 'approve', id, '--execute')).toMatchObject({ code: 0, stdout: 'eth-usdt is resumed.\n' })
  expect((await world.run(['pools'])).stdout).toMatch(/^eth-usdt {2}trades/m)
  const log = (await world.run(['actions'])).stdout
  expect(log).toMatch(
    /change_pool {2}eth-usdt is resumed\.\n {2}by Ren of risk \(0x\w+\) and Local owner \(0x\w+\) as risk\n/,
  )
  expect(log).toMatch(/ {2}suspended → trades\n {2}it has moved\n/)
}, 60_000)

test('a person without the role, and a stranger, store no request', async () => {
  const stranger = `0x${'9'.repeat(64)}`
  for (const [key, args] of [
    [RISK, ['persons', 'end', risk.address, '--reason', 'x', '--execute']],
    [stranger, suspend('bnb-usdt')],
  ] as const) {
    const { code, stderr } = await as(key, ...args)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^0x\w{40} is not a person with the role (owner|risk): /)])
  }
  expect((await world.run(['requests'])).stdout).toBe('No request waits.\n')
}, 60_000)

test('a hardware wallet signs the shown text elsewhere', async () => {
  expect(await as(OWNER, ...suspend('rt-usdt'))).toMatchObject({ code: 0 })
  expect(await as(OWNER, ...resume('rt-usdt'), '--json')).toMatchObject({ code: 3 })
  const id = await waitingId()
  const { statement } = JSON.parse((await world.run(['approve', id, '--json'])).stdout)
  const signature = await privateKeyToAccount(SECOND).signMessage({ message: statement })
  const wrong = await privateKeyToAccount(SECOND).signMessage({ message: `${statement} ` })
  expect(await world.run(['approve', id, '--signature', wrong])).toMatchObject({ code: 1 })
  expect(await world.run(['approve', id, '--signature', signature])).toMatchObject({
    code: 0,
    stdout: 'rt-usdt is resumed.\n',
  })
}, 60_000)

test('a person freezes an account, and a second one renews that', async () => {
  const frozen = ['freeze', `0x${'6'.repeat(40)}`, '--reason', 'a stolen phone', '--execute']
  expect(await as(OWNER, ...frozen)).toMatchObject({ code: 0, stdout: expect.stringContaining(' is frozen until ') })
  expect(await as(OWNER, ...frozen)).toMatchObject({ code: 3, stdout: expect.stringContaining('one more person') })
  const renewal = await as(SECOND, 'approve', await waitingId(), '--execute')
  expect(renewal).toMatchObject({ code: 0, stdout: expect.stringContaining(' is frozen until ') })
}, 60_000)

test('anyone of the operator refuses a request that waits', async () => {
  await as(OWNER, ...suspend('rt-usdt'))
  await as(OWNER, ...resume('rt-usdt'))
  const id = await waitingId()
  expect(await as(RISK, 'refuse', id, '--reason', 'not yet', '--execute')).toMatchObject({ code: 0 })
  expect(await as(SECOND, 'approve', id, '--execute')).toMatchObject({ code: 1 })
  expect((await world.run(['pools'])).stdout).toMatch(/^rt-usdt {2}suspended/m)
}, 60_000)

test("the page's commands add a person with two signatures, and end one", async () => {
  const kit = privateKeyToAccount(`0x${'5'.repeat(64)}`).address
  const statementOf = async (id: string) => JSON.parse((await world.run(['approve', id, '--json'])).stdout).statement
  const fill = (args: readonly string[] = [], values: Readonly<Record<string, string>>) =>
    args.map((word) => values[word] ?? word)
  const [set, end, list = [], show, approve, refuse, withSignature] = commandsOf('operator-persons')

  expect(await as(OWNER, ...fill(set, { '0x…': kit }))).toMatchObject({ code: 3 })
  const first = { '<request>': await waitingId() }
  expect((await world.run(list)).stdout).toContain(`${first['<request>']}  set_person  signed by Local owner`)
  expect((await as(SECOND, ...fill(show, first))).stdout).toContain('Kit')
  expect(await as(SECOND, ...fill(approve, first))).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/has the roles support, ?risk\.\n$/),
  })
  // A hardware wallet signs a second change of the same person, and a third one is refused.
  const calmer = fill(set, { '0x…': kit, 'support,risk': 'support' })
  await as(OWNER, ...calmer)
  const id = await waitingId()
  const signature = await privateKeyToAccount(SECOND).signMessage({ message: await statementOf(id) })
  expect(await world.run(fill(withSignature, { '<request>': id, '0x…': signature }))).toMatchObject({ code: 0 })
  await as(OWNER, ...fill(set, { '0x…': kit }))
  expect(await as(SECOND, ...fill(refuse, { '<request>': await waitingId() }))).toMatchObject({ code: 0 })
  expect((await world.run(['persons'])).stdout).toMatch(new RegExp(`${kit}  Kit  support  since`, 'i'))
  expect(await as(OWNER, ...fill(end, { '0x…': kit }))).toMatchObject({ code: 0 })
}, 60_000)

test('one owner ends a person, and the last two owners stay', async () => {
  const owner = privateKeyToAccount(OWNER).address
  expect(await as(OWNER, 'persons', 'end', risk.address, '--reason', 'left', '--execute')).toMatchObject({ code: 0 })
  expect(await as(RISK, ...suspend('bnb-usdt'))).toMatchObject({ code: 1 })
  const last = await as(OWNER, 'persons', 'end', owner, '--reason', 'left', '--execute')
  expect(last).toMatchObject({ code: 1, stderr: 'Two other owners must remain: add them first.\n' })
}, 60_000)

// Last: the persons need nothing of it, and share their server.
describe('support', () => testSupport(world))
