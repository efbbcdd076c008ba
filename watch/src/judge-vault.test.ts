import { expect, test } from 'vitest'
import { judgeEvent, setupOf } from './judge-event.ts'
import {
  type AssetFacts,
  isShort,
  judgeLeftVault,
  judgeNode,
  judgeVault,
  owedNow,
  type VaultFacts,
  withMoneyOf,
} from './judge-vault.ts'
import { hasKey, keysOf, type VaultEvent } from './vault-keys.ts'
import { currentVault } from './vault-order.ts'

const NOW_S = 1_700_000_000
const HOUR_S = 3_600
const none = { deposited: 0n, paid: 0n, exited: 0n }
const asset: AssetFacts = {
  ...{ token: '0xaa', held: 100n, owed: 90n, payouts: 10n, seen: none, total: none },
  ...{ shortSince: 0, elsewhere: 0n },
}
const vault: VaultFacts = {
  ...{ block: 9n, timeS: NOW_S, clock: NOW_S - 500, pausedAt: 0, endingAt: 0, movedAt: 0, assets: [asset] },
  newest: { number: 7n, cursorBlock: 1n, postedAt: NOW_S - 60, seq: 3 },
}
const since = { newestHeaderS: NOW_S - 60, vaultSinceS: 0 }

test.each<[bigint, string, Partial<AssetFacts>]>([
  [100n, 'users, lending and payouts', {}],
  [105n, 'and a deposit that is not booked', { total: { ...none, deposited: 5n } }],
  [97n, 'without a voucher that is not booked', { total: { ...none, paid: 3n } }],
  [98n, 'without an exit that is not booked', { total: { ...none, exited: 2n } }],
  [
    100n,
    'as booked',
    { seen: { deposited: 5n, paid: 3n, exited: 2n }, total: { deposited: 5n, paid: 3n, exited: 2n } },
  ],
  [-1n, 'below zero after a payment past it', { total: { ...none, paid: 101n } }],
])('the vault owes %s: %s', (owed, _, change) => {
  expect(owedNow({ ...asset, ...change })).toBe(owed)
})

test.each<[string, Partial<VaultFacts>, Partial<typeof since> | { newestHeaderS: undefined }, string[]]>([
  ['quiet', {}, {}, []],
  ['one unit short', { assets: [{ ...asset, held: 99n }] }, {}, ['vault_short']],
  ['with a token that does not say its balance', { assets: [{ ...asset, held: undefined }] }, {}, ['vault_short']],
  ['an hour and 59 minutes after a root', { newest: { ...vault.newest, postedAt: NOW_S - 7_199 } }, {}, []],
  ['two hours after a root', { newest: { ...vault.newest, postedAt: NOW_S - 2 * HOUR_S } }, {}, ['roots_late']],
  ['a day after a root', { newest: { ...vault.newest, postedAt: NOW_S - 24 * HOUR_S } }, {}, ['roots_stopped']],
  ['new and without a root', { newest: { ...vault.newest, seq: 0 } }, { vaultSinceS: NOW_S }, []],
  [
    'two hours old and without a root',
    { newest: { ...vault.newest, seq: 0 } },
    { vaultSinceS: NOW_S - 7_200 },
    ['roots_late'],
  ],
  ['without new headers', {}, { newestHeaderS: NOW_S - 2 * HOUR_S }, ['headers_late']],
  ['without any header', {}, { newestHeaderS: undefined }, ['headers_late']],
  ['paused', { pausedAt: NOW_S - 5 }, {}, ['paused']],
  ['ending and short', { endingAt: 1, assets: [{ ...asset, held: 0n }] }, {}, []],
])('a vault %s is judged', (_, change, of, codes) => {
  const findings = judgeVault({ ...vault, ...change }, { ...since, ...of })
  expect(findings.map(({ code }) => code)).toEqual(codes)
})

test('a node ten minutes behind this clock is behind', () => {
  expect(judgeNode(vault, NOW_S + 599)).toEqual([])
  expect(judgeNode(vault, NOW_S + 600).map(({ code }) => code)).toEqual(['node_behind'])
})

const event = (name: string, args: Record<string, string>, more: Partial<VaultEvent> = {}): VaultEvent => ({
  ...{ vault: '0x7a', name, args, block: '5', index: 0, tx: '0x01', timeS: NOW_S - 100 },
  ...more,
})
const NOTHING = { setup: new Set<string>(), next: undefined }
const SUCCESSOR = event('SuccessorAnnounced', { successor: '0xbb', activeAt: `${vault.clock + 864_000}` })

test('an announcement counts ten days later by the clock of the vault', () => {
  expect(judgeEvent(SUCCESSOR, vault, NOTHING)).toMatchObject({
    code: 'successor',
    facts: { successor: '0xbb', counts_at: new Date((NOW_S + 864_000) * 1_000).toISOString() },
  })
  const paused = judgeEvent(SUCCESSOR, { ...vault, pausedAt: 1 }, NOTHING)
  expect(paused?.facts?.counts_at).toContain('later by the rest of the pause and a day')
})

test.each<[string, Record<string, string>, string]>([
  ['KeyAdded', { role: '1', key: '0xcc', activeAt: '1' }, 'key_added'],
  ['KeyRemoved', { role: '3', key: '0xcc' }, 'key_removed'],
  ['GuardianAnnounced', { guardian: '0xcc', activeAt: '1' }, 'guardian'],
  ['GuardianAnnounced', { guardian: '0xcc', activeAt: '0' }, 'guardian'],
  ['GuardianSet', { previous: '0xcc', current: '0xdd' }, 'guardian'],
  ['LimitsSet', { asset: '0xaa', perVoucher: '1', perDay: '2' }, 'limits_set'],
  ['LimitsAnnounced', { asset: '0xaa', perVoucher: '1', perDay: '2', activeAt: '1' }, 'limits_raised'],
  ['AssetListed', { asset: '0xaa', activeAt: '1' }, 'asset'],
  ['SuccessorAnnounced', { successor: '0x00', activeAt: '0' }, 'successor'],
  ['Unpaused', { time: '1' }, 'unpaused'],
  ['OwnershipTransferStarted', { previousOwner: '0xa', newOwner: '0xb' }, 'owner'],
  ['OwnershipTransferred', { previousOwner: '0xa', newOwner: '0xb' }, 'owner'],
  ['RootsDropped', { from: '1', to: '2', newestNumber: '0' }, 'roots_dropped'],
  ['EndStarted', { time: '1' }, 'end_started'],
  ['Ended', { time: '1', base: '1' }, 'ended'],
  ['Moved', { successor: '0xb', asset: '0xaa', amount: '1', nonce: '1' }, 'moved'],
])('the event %s is reported', (name, args, code) => {
  expect(judgeEvent(event(name, args), vault, NOTHING)?.code).toBe(code)
})

test('deployment, roots and acts of last month are not reported', () => {
  const deployed = event('GuardianSet', { previous: `0x${'00'.repeat(20)}`, current: '0xcc' }, { tx: '0x0d' })
  const setup = setupOf([deployed, SUCCESSOR])
  expect(judgeEvent(deployed, vault, { setup, next: undefined })).toBeUndefined()
  expect(judgeEvent(event('RootPosted', { number: '1' }), vault, { setup, next: undefined })).toBeUndefined()
  expect(judgeEvent({ ...SUCCESSOR, timeS: NOW_S - 31 * 86_400 }, vault, { setup, next: undefined })).toBeUndefined()
})

test('a key counts from its activation to its removal', () => {
  const keys = keysOf([
    event('KeyAdded', { role: '2', key: '0xCC', activeAt: '50' }),
    event('KeyRemoved', { role: '2', key: '0xCC' }, { timeS: 90 }),
    event('KeyAdded', { role: '2', key: '0xDD', activeAt: '70' }),
  ])
  const counts = (address: string, clock: number, timeS: number) => hasKey(keys, 'root key', address, { clock, timeS })
  expect([counts('0xcc', 49, 60), counts('0xcc', 50, 90), counts('0xcc', 50, 91)]).toEqual([false, true, false])
  expect([counts('0xdd', 70, 999), counts('0xee', 70, 999)]).toEqual([true, false])
  expect(hasKey(keys, 'bookkeeper', '0xdd', { clock: 70, timeS: 60 })).toBe(false)
})

test('money that moves to the next watched vault is a notice', () => {
  const moved = event('Moved', { successor: '0xBB', asset: '0xaa', amount: '1', nonce: '1' })
  const codeOf = (next: string | undefined) => judgeEvent(moved, vault, { setup: new Set(), next })?.code
  expect([codeOf('0xbb'), codeOf('0xcc'), codeOf(undefined)]).toEqual(['moved_on', 'moved', 'moved'])
})

/** A vault that has moved its money, or still holds it. */
const left = (held: bigint | undefined, more: Partial<VaultFacts> = {}): VaultFacts => ({
  ...{ ...vault, movedAt: NOW_S - 60, assets: [{ ...asset, held }] },
  ...more,
})
const withoutRoot = { newest: { ...vault.newest, seq: 0 } }

test.each<[string, VaultFacts[], number | undefined, number]>([
  ['one vault', [vault], undefined, 0],
  ['a next one that is not used', [vault, { ...vault, ...withoutRoot }], 0, 0],
  ['no header yet', [vault, { ...vault, ...withoutRoot }], undefined, 0],
  ['a header of the next', [vault, { ...vault, ...withoutRoot }], 1, 1],
  ['a root at the next', [vault, vault], 0, 1],
  ['money moved to the next', [left(0n), { ...vault, ...withoutRoot }], 0, 1],
  ['two moves', [left(0n), left(0n), { ...vault, ...withoutRoot }], 1, 2],
])('with %s the ledger is where it is', (_, vaults, ofHeader, current) => {
  expect(currentVault(vaults, ofHeader)).toBe(current)
})

test.each<[string, { held: bigint; shortSince?: number }, VaultFacts[], Record<string, bigint>, string[]]>([
  ['all money moved', { held: 100n }, [left(0n)], {}, []],
  ['money on its way', { held: 40n, shortSince: NOW_S - 60 }, [left(60n)], {}, []],
  ['money left behind for two hours', { held: 40n, shortSince: NOW_S - 7_200 }, [left(60n)], {}, ['money_behind']],
  ['a unit missing at both', { held: 40n, shortSince: NOW_S - 60 }, [left(59n)], {}, ['vault_short']],
  ['a unit paid to an exit', { held: 40n, shortSince: NOW_S - 60 }, [left(59n)], { '0xaa': 1n }, []],
  ['a token that does not say it', { held: 40n, shortSince: NOW_S - 60 }, [left(undefined)], {}, ['vault_short']],
])('after a move with %s the holdings are judged', (_, change, before, exited, codes) => {
  const judged = withMoneyOf({ ...vault, assets: [{ ...asset, ...change }] }, before, new Map(Object.entries(exited)))
  expect(judgeVault(judged, since).map(({ code }) => code)).toEqual(codes)
  expect(isShort(judged)).toBe(codes.includes('vault_short'))
})

test('a pause delays exits of a left vault that has money', () => {
  const codesOf = (of: VaultFacts) => judgeLeftVault({ ...of, vault: '0x7a' }).map(({ key }) => key)
  expect(codesOf(left(1n, { pausedAt: NOW_S }))).toEqual(['paused:0x7a'])
  expect([codesOf(left(0n, { pausedAt: NOW_S })), codesOf(left(1n))]).toEqual([[], []])
  // No root and no header is due there, and nothing is short.
  expect(codesOf(left(1n, { newest: { ...vault.newest, postedAt: 0 } }))).toEqual([])
})
