import { describe, expect, test } from 'vitest'
import { CONFIG } from '../api/config.samples.ts'
import { CHANGES } from '../features/trust/trust.samples.ts'
import { chooseNews } from './news.ts'

const NOW = Date.parse(CONFIG.time)
const HOUR_MS = 3_600_000
const [change] = CHANGES as [(typeof CHANGES)[number]]
/** An upgrade of two hours that begins in so many hours. */
const upgradeIn = (hours: number) => ({
  id: 'up',
  starts_at: new Date(NOW + hours * HOUR_MS).toISOString(),
  ends_at: new Date(NOW + (hours + 2) * HOUR_MS).toISOString(),
  text: { en: 'Faster servers', 'zh-HK': '更快的伺服器' },
})
const choose = (source: Partial<Parameters<typeof chooseNews>[0]>, dismissed: readonly string[] = []) =>
  chooseNews({ time: CONFIG.time, degraded: [], ...source }, dismissed)

describe('the one banner', () => {
  const all = { degraded: ['market'] as const, upgrades: [upgradeIn(23)], announced: [change] }

  test('shows a failing part, then an upgrade, then a change', () => {
    expect(choose({ ...all, degraded: ['market'] })).toEqual({ kind: 'degraded', part: 'market' })
    expect(choose({ ...all, degraded: [] })).toMatchObject({ kind: 'upgrade', id: 'up' })
    expect(choose({ announced: [change] })).toMatchObject({ kind: 'change', id: 'swap-fees-2' })
    expect(choose({})).toBeUndefined()
  })

  test.each([
    ['a day before', 24, true],
    ['earlier', 24.01, true],
    ['while it runs', -1.9, true],
    ['after its end', -2, false],
  ])('shows an upgrade %s: %s hours ahead', (_what, hours, isShown) => {
    expect(choose({ upgrades: [upgradeIn(hours)] }) !== undefined).toBe(isShown)
  })

  test('shows a later upgrade after a change, and again before it', () => {
    const later = [upgradeIn(30)]
    expect(choose({ upgrades: later, announced: [change] })).toMatchObject({ kind: 'change' })
    expect(choose({ upgrades: later })).toMatchObject({ kind: 'upgrade', id: 'up-ahead' })
    expect(choose({ upgrades: later }, ['up-ahead'])).toBeUndefined()
    expect(choose({ upgrades: [upgradeIn(24)] }, ['up-ahead'])).toMatchObject({ id: 'up' })
  })

  test('shows the next news after one is dismissed', () => {
    expect(choose({ upgrades: [upgradeIn(1)], announced: [change] }, ['up'])).toMatchObject({ id: 'swap-fees-2' })
    expect(choose({ upgrades: [upgradeIn(1)], announced: [change] }, ['up', 'swap-fees-2'])).toBeUndefined()
    expect(choose({ ...all, degraded: ['chain'] }, ['up', 'swap-fees-2'])).toMatchObject({ part: 'chain' })
  })

  describe('with terms of the operator', () => {
    const terms = { version: '2', url: 'https://pool.example/terms' }
    const accepted = (version: string) => ({ activated: true, terms: { version, accepted_at: CONFIG.time } })
    const chosen = (user: Parameters<typeof chooseNews>[2], dismissed: readonly string[] = []) =>
      chooseNews({ time: CONFIG.time, degraded: [], announced: [change], terms }, dismissed, user)?.kind

    test.each([
      ['terms', 'the user accepted others', accepted('1'), []],
      ['terms', 'the user accepted none', { activated: true, terms: null }, []],
      ['change', 'the user accepted them', accepted('2'), []],
      ['change', 'the user dismissed them', accepted('1'), ['terms-2']],
      ['change', 'the user is not activated', { activated: false, terms: null }, []],
      ['change', 'no one is signed in', undefined, []],
    ] as const)('shows %s when %s', (kind, _when, user, dismissed) => {
      expect(chosen(user, dismissed)).toBe(kind)
    })

    test('shows a failing part first', () => {
      expect(choose({ ...all, degraded: ['market'], terms })).toMatchObject({ kind: 'degraded' })
    })
  })

  test('is absent without news, and for a change in force', () => {
    expect(choose({ announced: undefined as never, upgrades: undefined as never })).toBeUndefined()
    expect(choose({ announced: [{ ...change, starts_at: CONFIG.time }] })).toBeUndefined()
  })
})
