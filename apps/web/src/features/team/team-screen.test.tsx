import QrCode from '@clearwell/ui/components/qr-code.tsx'
import { renderToStaticMarkup } from 'react-dom/server'
import { encode } from 'uqr'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pageOf, renderScreen, responseTo } from '../../testing/render-screen.tsx'
import { drawInvitation } from './invite-picture.ts'
import { ALONE, EARNING, LEAD, OVERVIEW } from './team.samples.ts'

/** The responses to a signed-in user with this team. */
function team(overview = OVERVIEW, leads = [LEAD, { ...LEAD, member_id: '8', activated: false, direct: 0, total: 0 }]) {
  return [
    responseTo('teamOverview', {}, overview),
    pageOf('teamMembers', { limit: 20 }, leads),
    pageOf('referralShares', {}, overview.earned.length > 0 ? [EARNING] : []),
  ]
}

test.each([
  ['/en/team', ['Direct leads Total 12 Activated 8', 'Whole team Total 1,204 Activated 890']],
  ['/team', ['直屬夥伴 總人數 12 已啟用 8', '全隊 總人數 1,204 已啟用 890']],
])('%s shows total and activated counts', { tags: ['§2.75'] }, async (path, words) => {
  const text = textOf(await renderScreen(path, { user: {}, responses: team() }))
  for (const word of words) expect(text).toContain(word)
})

test('the team is a tree whose members open to their leads', { tags: ['§6.04'] }, async () => {
  const html = await renderScreen('/en/team', { user: {}, responses: team() })
  expect(html).toMatch(/role="tree" aria-label="Team by depth"/)
  const [first = '', second = ''] = html.match(/<div role="treeitem"[^>]*>/g) ?? []
  expect(first).toMatch(/aria-level="1" aria-expanded="false" aria-posinset="1" aria-setsize="12"/)
  expect(first).toContain('tabindex="0"')
  expect(second).not.toContain('aria-expanded')
  expect(second).toContain('tabindex="-1"')
  const text = textOf(html)
  for (const word of ['0x1234…abcd', 'Lv 1', '6 direct · 41 in all', 'Inactive']) expect(text).toContain(word)
})

test('a team without members says how one joins', async () => {
  const text = textOf(await renderScreen('/en/team', { user: {}, responses: team(ALONE, []) }))
  expect(text).toContain('Friends who use your link for their first sign-in appear here.')
  expect(text).toContain('Invite lead')
})

test.each([
  ['/en/referral', ['Invite code AB12', '/?pid=AB12', 'Copy link', 'Save QR code', 'Share']],
  ['/referral', ['邀請碼 AB12', '/?pid=AB12', '複製連結', '儲存二維碼', '分享']],
])('%s offers the invitation without any response', { tags: ['§2.76'] }, async (path, words) => {
  const text = textOf(await renderScreen(path, { user: {} }))
  for (const word of words) expect(text).toContain(word)
})

test('the QR code shown and the one saved open the link', { tags: ['§2.76'] }, async () => {
  const link = 'https://app.example/?pid=AB12'
  const html = renderToStaticMarkup(<QrCode text={link} label="QR" />)
  const shown = encode(link, { ecc: 'L', border: 4 })
  expect(modulesOf(/<path fill="#000" d="([^"]*)"/.exec(html)?.[1] ?? '')).toEqual(darkModules(shown.data))

  const rectangles = stubCanvas()
  await drawInvitation({ product: 'Clearwell', code: 'AB12', link })
  const { size, data } = encode(link, { ecc: 'M', border: 4 })
  const side = Math.floor(720 / size)
  const modules = rectangles.filter(([, , width]) => width === side)
  const [left, top] = [Math.min(...modules.map(([x]) => x)), Math.min(...modules.map(([, y]) => y))]
  // The quiet zone around the code is not drawn.
  expect(modules.map(([x, y]) => `${(x - left) / side + 4} ${(y - top) / side + 4}`)).toEqual(darkModules(data))
})

/** The dark modules of a code, as `x y`, line by line. */
function darkModules(data: readonly boolean[][]): string[] {
  return data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])))
}

function modulesOf(path: string): string[] {
  return [...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`)
}

/** Replaces the browser's canvas, and records the rectangles that are filled: x, y, width, height. */
function stubCanvas(): [number, number, number, number][] {
  const filled: [number, number, number, number][] = []
  const context = new Proxy({} as Record<string, unknown>, {
    get: (known, name: string) =>
      name === 'fillRect'
        ? (...each: [number, number, number, number]) => filled.push(each)
        : (known[name] ?? (() => {})),
  })
  const canvas = { getContext: () => context, toBlob: (done: (blob: Blob) => void) => done(new Blob()) }
  vi.stubGlobal('Path2D', class {})
  vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: () => '' }))
  vi.stubGlobal('document', { documentElement: {}, createElement: () => canvas })
  onTestFinished(() => void vi.unstubAllGlobals())
  return filled
}

test.each([
  ['/en/referral', 'Level 1 needs 5 activated direct leads. You have 0.', ALONE],
  ['/referral', '升至等級 1 需要 5 位已啟用的直屬夥伴，現有 0 位。', ALONE],
  ['/en/referral', 'Level 2 needs 5 direct leads at level 1 or higher. You have 2.', OVERVIEW],
  ['/referral', '升至等級 2 需要 5 位達到等級 1 或以上的直屬夥伴，現有 2 位。', OVERVIEW],
])('%s says once what the next level needs: %s', { tags: ['§1.11', '§9.10'] }, async (path, sentence, overview) => {
  const text = textOf(await renderScreen(path, { user: {}, responses: team(overview) }))
  expect(text).toContain(sentence)
  // An own lead that was invited is not yet one at the level that counts.
  expect(text).not.toMatch(/Inviting 5 leads|邀請 5 位夥伴/)
})

test.each([
  ['/en/referral', ['12.345678 USDT', '31 shares', '0x1234…abcd', '+0.016 USDT Fee 0.25']],
  ['/referral', ['12.345678 USDT', '31 筆分成', '0x1234…abcd', '+0.016 USDT 手續費 0.25']],
])('%s lists earnings with the swaps that paid them', async (path, words) => {
  const text = textOf(await renderScreen(path, { user: {}, responses: team() }))
  for (const word of words) expect(text).toContain(word)
})

test.each([
  [
    '/en/referral',
    'Nothing is paid for recruiting',
    'Your only income here is 6.4% of the swap fees that your direct leads pay. That is 20% of the revenue part, which is 32% of the fee',
  ],
  ['/referral', '招攬他人加入沒有任何報酬', '直屬夥伴所付閃兌手續費的 6.4%（手續費的收入部分為 32%，當中的 20%）'],
])('%s states to everyone that recruiting pays nothing', async (path, title, part) => {
  for (const options of [{}, { user: {}, responses: team(ALONE, []) }]) {
    const text = textOf(await renderScreen(path, options))
    expect(text).toContain(title)
    expect(text).toContain(part)
  }
})

test('the statement on recruiting precedes the list of shares', async () => {
  const text = textOf(await renderScreen('/en/referral', { user: {}, responses: team() }))
  expect(text.indexOf('Nothing is paid for recruiting')).toBeLessThan(text.indexOf('Earnings'))
})

test('an inactive inviter learns that the shares go to the rewards', async () => {
  const text = textOf(await renderScreen('/en/referral', { user: { activated: false }, responses: team() }))
  expect(text).toContain('Until you activate, your share of your leads’ swap fees goes to the rewards account.')
  expect(text).toContain('Activate Now')
})

test('the highest level has no next one', async () => {
  const top = { ...OVERVIEW, level: 5, next_level_progress: null }
  expect(await renderScreen('/en/referral', { user: {}, responses: team(top) })).toContain('You have the highest level')
})

test.each([
  ['/en/team', 'Your direct leads and everyone they invited'],
  ['/en/referral', 'Get your invite link'],
])('%s says to a visitor: %s', async (path, words) => {
  expect(textOf(await renderScreen(path))).toMatch(new RegExp(`${words}.*Connect`))
})

/** The visible text, with one space between elements. */
function textOf(html: string): string {
  return html
    .replace(/<span aria-hidden="true">(<span>.<\/span>)+<\/span>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(\d) (\.\d)/g, '$1$2')
}
