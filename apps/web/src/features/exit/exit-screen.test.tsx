import { expect, test } from 'vitest'
import { factsIn, textOf } from '../../testing/facts.ts'
import { renderScreen, responseTo } from '../../testing/render-screen.tsx'
import { NO_EXIT } from './exit.samples.ts'

const PATH = '/en/wallet/exit'
const config = { vault_exits: true }
const balance = { asset: 'USDT', available: '60', locked: '40', pledged: '0', collateral: '0', total: '100' } as const
const of = (changes: object) =>
  responseTo('balances', {}, [{ ...balance, value_usdt: '100', owed: '0', owed_usdt: '0', ...changes }])
const none = responseTo('proofExit', {}, NO_EXIT)

const buttonsIn = (html: string) =>
  [...html.matchAll(/<button[^>]*>(.*?)<\/button>/gs)].map(([, face = '']) => textOf(face))
/** The four sentences that explain an exit. */
const listIn = (html: string) => [...(/<ul[^>]*>(.*?)<\/ul>/s.exec(html)?.[1]?.matchAll(/<li/g) ?? [])]

test('a vault without exits is named, and offers nothing', async () => {
  const html = await renderScreen(PATH, { user: {}, config: { vault_exits: false } })
  expect(textOf(html)).toContain(
    'This vault has no exits A transfer out from this vault needs the operator’s signature.',
  )
  expect(buttonsIn(html)).not.toContain('Request an exit')
})

test('explains an exit without a session', async () => {
  const html = await renderScreen(PATH, { config })
  expect(listIn(html)).toHaveLength(4)
  expect(buttonsIn(html)).not.toContain('Request an exit')
})

const JARGON = /\broots?\b|根紀錄|by this server’s word/i

test.each(['/en/wallet/exit', '/wallet/exit'])('%s explains an exit without the words of its design', async (path) => {
  expect(textOf(await renderScreen(path, { user: {}, config, responses: [none, of({})] }))).not.toMatch(JARGON)
})

test.each([
  ['/en/wallet/exit', /Your request locks this account here until you finish or cancel the exit.* Request an exit$/],
  ['/wallet/exit', /申請後，此帳戶會在這裏鎖定，直至你完成或取消退出.* 申請退出$/],
])('%s states the consequence directly above the button', async (path, consequence) => {
  const html = await renderScreen(path, { user: {}, config, responses: [none, of({})] })
  expect(textOf(/class="screen-action.*?<\/button>/s.exec(html)?.[0] ?? '').trim()).toMatch(consequence)
})

test('an unproven balance counts locked amounts and says so', async () => {
  const html = await renderScreen(PATH, { user: {}, config, responses: [none, of({})] })
  expect(factsIn(html)).toEqual(['USDT: 100 USDT'])
  expect(textOf(html)).toContain(
    '100 USDT Your free balance as our server states it. Your device hasn’t checked it yet',
  )
  expect(buttonsIn(html)).toContain('Request an exit')
})

test('says that an account has nothing to take', async () => {
  const html = await renderScreen(PATH, { user: {}, config, responses: [none, of({ available: '0', locked: '0' })] })
  expect(factsIn(html)).toEqual([])
  expect(textOf(html)).toContain('You would take Nothing: this account has no free balance')
})

test('pledges, collateral and debts come first', async () => {
  const changes = { pledged: '7', collateral: '2', owed: '3' }
  const html = await renderScreen(PATH, { user: {}, config, responses: [none, of(changes)] })
  for (const text of ['Withdraw your pledges: 7 USDT', 'collateral back: 2 USDT', 'Repay your loans: 3 USDT'])
    expect(html).toContain(text)
})

test('an exit that is open shows its cancel and no request', async () => {
  const at = '2030-01-08T00:00:00.000Z'
  const times = { requested_at: at, base_at: at, repay_until: at, ready_at: at }
  const open = { ...NO_EXIT, state: 'open' as const, ...times, allowed: ['cancel_exit' as const] }
  const html = await renderScreen(PATH, { user: {}, config, responses: [responseTo('proofExit', {}, open)] })
  expect(buttonsIn(html)).toContain('Cancel the exit')
  expect(buttonsIn(html)).not.toContain('Request an exit')
})

test.each([
  [null, 'This is your balance now. The amount is fixed on 8 Jan 2030 00:00.'],
  [{ what: 'ready', at: null }, 'The amount was fixed on 8 Jan 2030 00:00. Later changes don’t count.'],
] as const)('an open exit whose next step is %o keeps its amounts', async (next, note) => {
  const at = '2030-01-08T00:00:00.000Z'
  const times = { requested_at: at, base_at: at, repay_until: at, ready_at: at }
  const open = { ...NO_EXIT, state: 'open' as const, ...times, next }
  const html = await renderScreen(PATH, { user: {}, config, responses: [responseTo('proofExit', {}, open), of({})] })
  expect(factsIn(html)).toEqual(['USDT: 100 USDT'])
  expect(textOf(html)).toContain(note)
})

test('an exit at a vault that was left names that vault', async () => {
  const at = '2030-01-08T00:00:00.000Z'
  const [own, former] = [`0x${'aB'.repeat(20)}`, `0x${'0f'.repeat(20)}`]
  const times = { requested_at: at, base_at: at, repay_until: at, ready_at: at }
  const textAt = async (vault: string) => {
    const open = { ...NO_EXIT, state: 'open' as const, vault, ...times, allowed: ['cancel_exit' as const] }
    const shown = { user: {}, config: { ...config, vault: own }, responses: [responseTo('proofExit', {}, open)] }
    return textOf(await renderScreen(PATH, shown))
  }
  const text = await textAt(former)
  expect(text).toContain('This exit is at the previous vault The ledger has moved to a new vault.')
  expect(text).toContain(former)
  expect(text).toContain('Cancel the exit')
  expect(await textAt(own.toLowerCase())).not.toContain('previous vault')
})

const owing = { ...NO_EXIT, owed: [{ asset: 'USDT' as const, amount: '40' }] }

test.each([PATH, '/en/wallet', '/en/wallet/asset?asset=USDT'])(
  '%s shows an owed advance, and the balance that it locks',
  async (path) => {
    const own = { user: {}, config, responses: [responseTo('proofExit', {}, owing), of({})] }
    const html = await renderScreen(path, own)
    expect(factsIn(html)).toEqual(
      expect.arrayContaining(['You owe: 40 USDT', 'Locked until it is given back: 60 USDT']),
    )
    expect(textOf(html)).toContain('The vault paid this account more')
    expect(textOf(await renderScreen(path, { ...own, responses: [none, of({})] }))).not.toContain('Advance to')
  },
)

test.each([
  ['nothing available', { available: '0' }],
  ['RT alone', { asset: 'RT' as const }],
])('an advance locks nothing while the account has %s', async (_, change) => {
  const responses = [responseTo('proofExit', {}, owing), of(change)]
  const facts = factsIn(await renderScreen('/en/wallet', { user: {}, config, responses }))
  expect(facts).toContain('You owe: 40 USDT')
  expect(facts.join()).not.toContain('Locked until')
})
