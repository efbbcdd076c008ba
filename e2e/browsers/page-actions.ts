import { pressAt, type TestBrowser, typeKeys } from './browser.ts'

const WAIT_MS = 30_000
const LOOK_EVERY_MS = 100

/** Where to look, and for which element. */
export interface Target {
  readonly role: 'button' | 'link' | 'radio' | 'textbox' | 'text' | 'listitem'
  /** The whole accessible name or text; with `isPart` a part of it. */
  readonly name: string
  readonly isPart?: boolean
  /** Looks only in the open dialog. */
  readonly isInDialog?: boolean
}

/** Actions of a user on a page, by roles and names. */
export interface PageActions {
  see(target: Target): Promise<void>
  press(target: Target): Promise<void>
  fill(target: Target, text: string): Promise<void>
  count(target: Target): Promise<number>
  /** Opens a screen by its hash. */
  go(hash: string): Promise<void>
}

export function pageActions(browser: TestBrowser): PageActions {
  const find = (target: Target) =>
    browser.run<{ x: number; y: number; isBlocked: boolean }[]>(
      `${findElements}; return findElements(${JSON.stringify(target)})`,
    )

  /** Waits until the element is there, does not move and is not covered. */
  async function untilThere(target: Target): Promise<{ x: number; y: number }> {
    let before = ''
    for (const deadline = performance.now() + WAIT_MS; ; ) {
      const [found] = await find(target).catch(() => [])
      const place = JSON.stringify(found)
      if (found && place === before && !found.isBlocked) return found
      before = place
      if (performance.now() > deadline) throw new Error(`there is no ${target.role} "${target.name}"`)
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
  }

  async function press(target: Target): Promise<void> {
    const { x, y } = await untilThere(target)
    await browser.act(pressAt(Math.round(x), Math.round(y)))
  }

  return {
    async see(target) {
      await untilThere(target)
    },
    press,
    async fill(target, text) {
      await press(target)
      await browser.run('document.activeElement.select?.()')
      await browser.act(typeKeys(text))
    },
    count: async (target) => (await find(target)).length,
    go: (hash) => browser.run(`location.hash = ${JSON.stringify(hash)}`),
  }
}

/** Runs in the page. */
function findElements({ role, name, isPart, isInDialog }: Target): { x: number; y: number; isBlocked: boolean }[] {
  const selectors = {
    button: 'button, [role=button]',
    link: 'a[href]',
    radio: '[role=radio], input[type=radio]',
    textbox: 'input, textarea, [role=textbox]',
    text: '*',
    listitem: 'li',
  }
  const dialogs = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')]
  const scope = isInDialog ? dialogs.at(-1) : document
  const clean = (text: string | null | undefined) => (text ?? '').replaceAll(/\s+/g, ' ').trim()
  const nameOf = (element: Element) => {
    const label = element.getAttribute('aria-label')
    if (label) return label
    const by = element.getAttribute('aria-labelledby')
    if (by)
      return clean(
        by
          .split(' ')
          .map((id) => document.getElementById(id)?.textContent)
          .join(' '),
      )
    const labels = (element as HTMLInputElement).labels
    if (role !== 'text' && labels?.length) return clean(labels[0]?.textContent)
    return clean(element.textContent)
  }
  const found = [...(scope?.querySelectorAll(selectors[role]) ?? [])].filter((element) => {
    const text = nameOf(element)
    if (isPart ? !text.includes(name) : text !== name) return false
    const { width, height } = element.getBoundingClientRect()
    return width > 1 && height > 1 && getComputedStyle(element).visibility === 'visible'
  })
  const innermost = found.filter(
    (element) => role !== 'text' || ![...element.children].some((child) => found.includes(child)),
  )
  if (role !== 'listitem') innermost[0]?.scrollIntoView({ block: 'center', behavior: 'instant' })
  const moving = document
    .getAnimations()
    .filter(({ playState }) => playState === 'running')
    .flatMap(({ effect }) => (effect instanceof KeyframeEffect && effect.target ? [effect.target] : []))
  return innermost.map((element) => {
    const box = element.getBoundingClientRect()
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const top = document.elementFromPoint(x, y)
    const isPressed = role !== 'text' && role !== 'listitem'
    const isCovered = isPressed && !(top && (element.contains(top) || top.contains(element)))
    const isMoving = moving.some((part) => part.contains(element))
    return { x, y, isBlocked: isCovered || isMoving }
  })
}
