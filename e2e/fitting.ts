import type { Page } from '@playwright/test'

/** A screen to visit: its hash, and the texts that show when it has loaded. */
export interface Visit {
  readonly hash: string
  readonly heading: string
  /** The name of the placeholder that shows until then. */
  readonly loading: string
}

const CONTROLS = 'button, a[href], [role=button], [role=tab], [role=radio]'
/** Rounding of the browser's layout, in pixels. */
const TOLERANCE = 1

/**
 * Finds what does not fit on the screen: wrapped or cut texts of buttons, tiles and tabs, rows of controls that break, and
 * parts beyond the edge. Tests compare the list with an empty one.
 *
 * @param visit a screen to open first.
 */
export async function misfitsOf(page: Page, visit?: Visit): Promise<string[]> {
  if (visit) await page.evaluate(arrive, visit)
  return page.evaluate<string[]>(SCRIPT)
}

/** Opens a screen, and waits for its heading and its data. One call of the browser, because tests visit many screens. */
async function arrive({ hash, heading, loading }: Visit): Promise<void> {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const deadline = performance.now() + 60_000
  // The step back of a sheet that has just closed would undo this navigation.
  while (history.state?.__sheets && performance.now() < deadline) await nextFrame()
  location.hash = hash
  const isThere = () => document.querySelector('main h1')?.textContent === heading
  const isLoading = () => document.querySelector(`[role=status][aria-label="${loading}"]`)
  do await nextFrame()
  while ((!isThere() || isLoading()) && performance.now() < deadline)
  if (!isThere() || isLoading()) throw new Error(`${hash} has not loaded`)
  // The browser draws the last data in the next frame.
  await nextFrame()
}

/** The functions below run in the page, where they need each other by name. */
const SCRIPT = `(() => {
  const CONTROLS = ${JSON.stringify(CONTROLS)}
  const TOLERANCE = ${TOLERANCE}
  ${[isInSidewaysRow, isSeen, nameOf, isRow, textsOf, linesOf, isCut, misfitsIn, breaks, findMisfits].join('\n')}
  return findMisfits()
})()`

function findMisfits(): string[] {
  const width = document.documentElement.clientWidth
  const scrollsSideways = document.documentElement.scrollWidth > width || width > screen.width
  // A sample of what is loading is only as long as its own text.
  const controls = [...document.querySelectorAll(CONTROLS)].filter((each) => isSeen(each) && !each.closest('[inert]'))
  const rows = new Set<Element>()
  for (const control of controls)
    for (let row = control.parentElement; row && !rows.has(row); row = row.parentElement) rows.add(row)
  return [
    ...(scrollsSideways ? ['the page scrolls sideways'] : []),
    ...controls.flatMap(misfitsIn),
    ...[...rows].filter(breaks).map((row) => `${nameOf(row)}: the row breaks`),
  ]
}

function misfitsIn(control: Element): string[] {
  const box = control.getBoundingClientRect()
  const { clientWidth } = document.documentElement
  const isBeyond = box.left < -TOLERANCE || box.right > clientWidth + TOLERANCE
  const misfits = isBeyond && !isInSidewaysRow(control) ? ['is beyond the edge'] : []
  for (const [part, texts] of textsOf(control)) {
    const lines = linesOf(texts)
    if (!isRow(control) && lines.length > 1) misfits.push(`wraps to ${lines.length} lines`)
    if (isCut(part, control)) misfits.push('is cut')
    else if (lines.some(({ left, right }) => left < box.left - TOLERANCE || right > box.right + TOLERANCE))
      misfits.push('overflows')
  }
  return misfits.map((misfit) => `${nameOf(control)}: ${misfit}`)
}

/** A row that scrolls sideways brings its controls onto the screen. */
function isInSidewaysRow(control: Element): boolean {
  for (let row = control.parentElement; row && row !== document.body; row = row.parentElement)
    if (getComputedStyle(row).overflowX === 'auto' && row.scrollWidth > row.clientWidth + TOLERANCE) return true
  return false
}

function isSeen(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  // Texts for screen readers only are one pixel in size.
  return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
}

function nameOf(element: Element): string {
  return element.getAttribute('aria-label') ?? element.textContent?.trim().replaceAll(/\s+/g, ' ') ?? ''
}

/** Links and buttons with text at the start are rows of a list, whose texts may wrap. */
function isRow(control: Element): boolean {
  return getComputedStyle(control).textAlign !== 'center'
}

/** The texts of a control by the box that lays them out: the parts of a row, or the label under an icon. */
function textsOf(control: Element): Map<Element, Text[]> {
  const texts = new Map<Element, Text[]>()
  const walker = document.createTreeWalker(control, NodeFilter.SHOW_TEXT)
  for (let text = walker.nextNode() as Text | null; text; text = walker.nextNode() as Text | null) {
    if (!text.data.trim() || !text.parentElement || !isSeen(text.parentElement)) continue
    let box: Element = text.parentElement
    while (box !== control && box.parentElement && getComputedStyle(box).display === 'inline') box = box.parentElement
    texts.set(box, [...(texts.get(box) ?? []), text])
  }
  return texts
}

function linesOf(texts: readonly Text[]): DOMRect[] {
  const lines: DOMRect[] = []
  for (const text of texts) {
    const range = document.createRange()
    range.selectNodeContents(text)
    for (const { x, y, width, height } of range.getClientRects()) {
      const rect = new DOMRect(x, y, width, height)
      const line = lines.find(({ top, bottom }) => rect.top < bottom - height / 2 && rect.bottom > top + height / 2)
      if (!line) lines.push(rect)
      else {
        const right = Math.max(line.right, rect.right)
        line.x = Math.min(line.x, rect.x)
        line.width = right - line.x
      }
    }
  }
  return lines
}

/** Addresses and numbers may be cut short. */
function isCut(box: Element, control: Element): boolean {
  if (/^[\d\s.,…%+−≈-]*$|0x/.test(box.textContent ?? '')) return false
  for (let part: Element = box; ; part = part.parentElement as Element) {
    const hides = getComputedStyle(part).overflowX !== 'visible'
    if (hides && part.scrollWidth > part.clientWidth + TOLERANCE) return true
    if (part === control || !part.parentElement) return false
  }
}

/** Checks for a row that continues on a second line. */
function breaks(row: Element): boolean {
  const { flexWrap, display, flexDirection } = getComputedStyle(row)
  if (!display.endsWith('flex') || flexDirection !== 'row' || flexWrap !== 'wrap') return false
  const boxes = [...row.children].filter(isSeen).map((child) => child.getBoundingClientRect())
  return boxes.some((box, index) => index > 0 && box.top >= (boxes[index - 1]?.bottom ?? 0))
}
