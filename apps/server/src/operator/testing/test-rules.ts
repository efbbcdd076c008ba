import { expect, test } from 'vitest'
import type { OperatorWorld } from './operator-world.ts'

const DAY_MS = 86_400_000

/** Tests of the commands that announce rules and upgrades. They leave announcements for later, and a lower fee. */
export function testRules(world: OperatorWorld): void {
  test('rules announce refuses a higher fee without notice', async () => {
    const early = ['--from', new Date(Date.now() + DAY_MS).toISOString(), '--reason', 'costs']
    const refused = await world.operator('rules', 'announce', 'swap-fees', '{"feeBps":30}', ...early, '--execute')
    expect({ code: refused.code, code_of_fault: refused.stderr.split(':')[0] }).toEqual({
      code: 1,
      code_of_fault: 'notice_too_short',
    })
    const dry = await world.operator('rules', 'announce', 'swap-fees', '{"feeBps":30}', '--reason', 'costs')
    expect(dry.stdout).toMatch(
      /^Dry run, nothing was changed\. With --execute:\nswap-fees-1 changes \{"feeBps":25,"revenueBps":8\} to \{"feeBps":30,"revenueBps":8\} at .*Z\. It can worsen a position/,
    )
    await world.resume()
    expect((await world.server.ok('ruleChanges', {})).items).toEqual([])
  }, 60_000)

  test('rules announce lowers a fee immediately, and publishes changes', async () => {
    const of = ['--reason', 'spring', '--execute']
    await world.operator('rules', 'announce', 'swap-fees', '{"feeBps":24}', ...of)
    await world.operator('rules', 'announce', 'claim-opening', '{"opens":"09:00","closes":"18:00"}', ...of)
    await world.resume()
    await world.server.ok('localAdvance', { seconds: 2 })
    const config = await world.server.ok('config', {})
    expect([config.fees.swap_total, config.opening.claim]).toEqual(['0.0024', 'always'])
    expect(config.announced).toMatchObject([
      { id: 'claim-opening-1', parts: [{ unit: 'opening', before: 'always', after: '09:00–18:00' }] },
    ])
    const { items } = await world.server.ok('ruleChanges', {})
    expect(items.map(({ id }) => id)).toEqual(['claim-opening-1', 'swap-fees-1'])
    // Only the part that changed.
    expect(items[1]?.parts).toMatchObject([{ unit: 'fraction', before: '0.0025', after: '0.0024' }])
    const first = await world.server.ok('ruleChanges', { limit: 1 })
    const next = await world.server.ok('ruleChanges', { limit: 1, cursor: first.next_cursor ?? '' })
    expect([first.items[0]?.id, next.items[0]?.id, next.next_cursor]).toEqual(['claim-opening-1', 'swap-fees-1', null])
  }, 60_000)

  test('rules withdraw takes an announced change back, and lists stay', async () => {
    const { stdout } = await world.operator('rules', 'withdraw', 'claim-opening-1', '--reason', 'again', '--execute')
    expect(stdout).toBe('claim-opening-1 is withdrawn.\n')
    const listed = await world.operator('rules', '--json')
    const rules: { rule: string; value: unknown; announced: unknown[] }[] = JSON.parse(listed.stdout).rules
    expect(rules.find(({ rule }) => rule === 'claim-opening')).toMatchObject({ value: 'always', announced: [] })
    await world.resume()
    await world.server.ok('localAdvance', { seconds: 2 })
    expect((await world.server.ok('config', {})).announced).toEqual([])
    const [newest] = (await world.server.ok('ruleChanges', {})).items
    expect([newest?.id, newest?.withdrawn_at === null]).toEqual(['claim-opening-1', false])
  }, 60_000)

  test('upgrades announce shows everyone a window, until it is withdrawn', async () => {
    const [from, until] = [2, 3].map((days) => new Date(Date.now() + days * DAY_MS).toISOString()) as [string, string]
    const texts = ['--en', 'New servers', '--zh', '更換伺服器']
    const announce = ['upgrades', 'announce', '--from', from, '--until', until, ...texts, '--reason', 'servers']
    expect((await world.operator(...announce, '--execute')).stdout).toContain('The upgrade is announced')
    await world.resume()
    await world.server.ok('localAdvance', { seconds: 2 })
    const [upgrade] = (await world.server.ok('config', {})).upgrades
    expect(upgrade).toEqual({
      id: expect.any(String),
      starts_at: from,
      ends_at: until,
      text: { en: 'New servers', 'zh-HK': '更換伺服器' },
    })
    await world.operator('upgrades', 'withdraw', upgrade?.id ?? '', '--reason', 'later', '--execute')
    await world.resume()
    await world.server.ok('localAdvance', { seconds: 2 })
    expect((await world.server.ok('config', {})).upgrades).toEqual([])
  }, 60_000)
}
