import { createStore } from './store.ts'

/**
 * Makes each open sheet an entry of the history: Back closes the top sheet, and the page under it stays. The entries have the
 * address of their page and a mark in their state; the router never sees a step between them.
 */

/** The number of sheets up to this entry, in the state of the history. */
const MARK = '__sheets'

type State = { readonly [MARK]?: number } | null
type Write = History['pushState']

/** True while a sheet, a menu or a dialog is open. */
export const sheetIsOpen = createStore(false)

/** The sheets that are open, the lowest first. */
const open: { readonly close: () => void }[] = []
/** The address of the page, and the state that a navigation last gave it. */
let page = ''
let pageState: unknown
/** The address of the entry below the sheets. */
let base = ''
/** True between a step back that was asked for here and its event. */
let isGoing = false
/** The navigations of that time. They would be undone by the step. */
let waiting: (() => void)[] = []
let isInstalled = false

/**
 * Hears of each step before the router does. Called once, before the router is created: at the window, a browser calls the
 * listeners in the order in which they were added, capturing or not.
 */
export function watchHistory(): void {
  addEventListener('popstate', (event) => isInstalled && onPop(event))
}

/**
 * Adds an entry for a sheet that opens.
 *
 * @param close closes the sheet; one that cannot be closed now stays, and gets its entry again.
 * @returns a function to call when the sheet has closed, for any reason: it takes the entry away.
 */
export function openSheetEntry(close: () => void): () => void {
  install()
  const sheet = { close }
  open.push(sheet)
  sheetIsOpen.set(true)
  matchEntries()
  return () => {
    const at = open.indexOf(sheet)
    if (at !== -1) open.splice(at, 1)
    sheetIsOpen.set(open.length > 0)
    // Later: a sheet that opens instead takes the entry over, and a link out of the sheet replaces it.
    setTimeout(matchEntries)
  }
}

/** Takes away the entries of sheets that were open before a reload. Called once, after the router has been created. */
export function dropLeftEntries(): void {
  if (depth() === 0) return
  install()
  matchEntries()
}

/**
 * Replaces the address without the router, whose location stays the same. Under an open sheet, the address of its page is replaced
 * as well.
 */
export function replaceAddress(href: string): void {
  const write = () => {
    History.prototype.replaceState.call(history, history.state, '', href)
    page = location.href
  }
  if (isGoing) waiting.push(write)
  else write()
}

/** Adds or takes away entries, until there is one for each open sheet. */
function matchEntries(): void {
  if (isGoing) return
  const extra = depth() - open.length
  if (extra > 0) {
    isGoing = true
    history.go(-extra)
  }
  if (depth() === 0) base = location.href
  for (let next = depth() + 1; next <= open.length; next++)
    History.prototype.pushState.call(history, { ...history.state, [MARK]: next }, '')
}

function depth(): number {
  return (history.state as State)?.[MARK] ?? 0
}

/** Later than the router, whose own functions these call. */
function install(): void {
  if (isInstalled) return
  isInstalled = true
  page = location.href
  pageState = history.state
  const [push, replace] = [history.pushState, history.replaceState]
  // A link out of a sheet replaces the entry of the sheet, which is closed then.
  history.pushState = navigation((...args) => (depth() > 0 ? replace : push).apply(history, args), 'pushState')
  // A new address of the page under a sheet is written to the entry of the sheet, and to that of the page when it closes.
  history.replaceState = navigation(
    (state, ...rest) => replace.call(history, depth() > 0 ? { ...state, [MARK]: depth() } : state, ...rest),
    'replaceState',
  )
}

function navigation(write: Write, name: 'pushState' | 'replaceState'): Write {
  const note = (state: unknown) => {
    page = location.href
    pageState = state
  }
  return (...args) => {
    if (isGoing) {
      // The router has done its part already, so it must not hear of it again.
      waiting.push(() => {
        History.prototype[name].apply(history, args)
        note(args[0])
      })
      return
    }
    write(...args)
    note(args[0])
  }
}

function onPop(event: PopStateEvent): void {
  const now = depth()
  const isAtPage = location.href === page || location.href === base
  const isOwn = isGoing || (isAtPage && Math.max(now, open.length) > 0)
  if (!isOwn) {
    // Another page, so no sheet of the last one stays over it.
    page = location.href
    pageState = history.state
    for (const sheet of open.toReversed()) sheet.close()
    setTimeout(matchEntries)
    return
  }
  event.stopImmediatePropagation()
  if (location.href !== page)
    History.prototype.replaceState.call(history, { ...(pageState as object), [MARK]: now }, '', page)
  if (isGoing) endStep()
  else for (const sheet of open.slice(now).toReversed()) sheet.close()
  setTimeout(matchEntries)
}

/** The step back is done: the navigations that waited for it follow. */
function endStep(): void {
  isGoing = false
  const navigations = waiting
  waiting = []
  for (const navigate of navigations) navigate()
}
