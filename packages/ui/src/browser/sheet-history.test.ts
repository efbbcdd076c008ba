import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** A browser's history: steps are events of their own, later. */
class History {
  entries = [{ state: {} as unknown, href: 'https://app/#/swap' }]
  at = 0
  get state() {
    return this.entries[this.at]?.state
  }
  pushState(state: unknown, _unused: string, href = location.href) {
    this.entries = [...this.entries.slice(0, this.at + 1), { state, href }]
    this.at += 1
  }
  replaceState(state: unknown, _unused: string, href = location.href) {
    this.entries[this.at] = { state, href }
  }
  go(by: number) {
    setTimeout(() => {
      this.at += by
      window.dispatchEvent(new Event('popstate'))
    })
  }
}

const seen = vi.fn()
let sheets: typeof import('./sheet-history.ts')
let browser: History

beforeEach(async () => {
  vi.useFakeTimers()
  browser = new History()
  vi.stubGlobal('History', History)
  vi.stubGlobal('history', browser)
  vi.stubGlobal('location', {
    get href() {
      return browser.entries[browser.at]?.href
    },
  })
  seen.mockClear()
  await loadPage(() => sheets.openSheetEntry(() => {})())
})

/** Loads the code, as a reload does too. Its listener comes before the router's, and a sheet's code later. */
async function loadPage(install: () => void): Promise<void> {
  const target = new EventTarget()
  vi.resetModules()
  vi.stubGlobal('window', target)
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target))
  Object.assign(browser, { pushState: History.prototype.pushState, replaceState: History.prototype.replaceState })
  sheets = await import('./sheet-history.ts')
  sheets.watchHistory()
  target.addEventListener('popstate', () => seen(location.href))
  install()
  vi.runAllTimers()
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** A sheet that closes when it is asked to, as its component does. */
function openSheet({ locked = false } = {}) {
  const sheet = { isOpen: true, close: () => {} }
  const leave = sheets.openSheetEntry(() => locked || sheet.close())
  sheet.close = () => {
    sheet.isOpen = false
    leave()
  }
  return sheet
}

const back = () => {
  browser.go(-1)
  vi.runAllTimers()
}
const hrefs = () => browser.entries.slice(0, browser.at + 1).map(({ href }) => href.replace('https://app/#', ''))

test('Back closes the top sheet, and the router sees nothing', () => {
  const [menu, account] = [openSheet(), openSheet()]
  back()
  expect([menu.isOpen, account.isOpen]).toEqual([true, false])
  back()
  expect([menu.isOpen, account.isOpen]).toEqual([false, false])
  expect(hrefs()).toEqual(['/swap'])
  expect(seen).not.toHaveBeenCalled()
})

test('a sheet that closes in another way leaves no entry', () => {
  const sheet = openSheet()
  expect(hrefs()).toEqual(['/swap', '/swap'])
  sheet.close()
  vi.runAllTimers()
  expect(hrefs()).toEqual(['/swap'])
  expect(seen).not.toHaveBeenCalled()
})

test('a sheet that cannot be closed stays after Back', () => {
  const sheet = openSheet({ locked: true })
  back()
  expect({ isOpen: sheet.isOpen, entries: hrefs() }).toEqual({ isOpen: true, entries: ['/swap', '/swap'] })
})

test('a sheet that opens instead takes the entry over', () => {
  const [first] = [openSheet()]
  first.close()
  const second = openSheet()
  vi.runAllTimers()
  expect(hrefs()).toEqual(['/swap', '/swap'])
  back()
  expect(second.isOpen).toBe(false)
})

test('a link out of a sheet replaces its entry', () => {
  const sheet = openSheet()
  sheet.close()
  browser.pushState({}, '', 'https://app/#/white')
  vi.runAllTimers()
  expect(hrefs()).toEqual(['/swap', '/white'])
  back()
  expect(hrefs()).toEqual(['/swap'])
  expect(seen).toHaveBeenCalledExactlyOnceWith('https://app/#/swap')
})

test('a navigation right after a sheet closed is not undone', () => {
  const sheet = openSheet()
  sheet.close()
  vi.advanceTimersByTime(0)
  browser.pushState({}, '', 'https://app/#/stake')
  vi.runAllTimers()
  expect(hrefs()).toEqual(['/swap', '/stake'])
})

test('a new address of the page outlives its sheet', () => {
  const sheet = openSheet()
  browser.replaceState({ key: 'rt' }, '', 'https://app/#/swap?pair=RTUSDT')
  sheet.close()
  vi.runAllTimers()
  expect(hrefs()).toEqual(['/swap?pair=RTUSDT'])
  expect(browser.state).toMatchObject({ key: 'rt' })
})

test('an address replaced under a sheet stays when it closes', () => {
  const sheet = openSheet()
  sheets.replaceAddress('https://app/#/swap?without')
  sheet.close()
  vi.runAllTimers()
  expect([hrefs(), seen.mock.calls]).toEqual([['/swap?without'], []])
})

test('a sheet that was open before a reload leaves no entry', async () => {
  openSheet()
  await loadPage(() => sheets.dropLeftEntries())
  expect([hrefs(), seen.mock.calls]).toEqual([['/swap'], []])
  browser.pushState({}, '', 'https://app/#/stake')
  back()
  expect(hrefs()).toEqual(['/swap'])
})

test('says whether a sheet is open', () => {
  const closed = [sheets.openSheetEntry(() => {}), sheets.openSheetEntry(() => {})]
  expect(sheets.sheetIsOpen.get()).toBe(true)
  closed[1]?.()
  expect(sheets.sheetIsOpen.get()).toBe(true)
  closed[0]?.()
  expect(sheets.sheetIsOpen.get()).toBe(false)
  vi.runAllTimers()
})
