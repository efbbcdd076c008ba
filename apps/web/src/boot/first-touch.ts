/** Dispatched on `#app` when React has mounted over the prerendered page. */
export const MOUNTED = 'clearwell:mounted'

/**
 * Keeps a tap on the prerendered page until the app has mounted over it: links work without the app, and a button's click
 * is repeated on the same button of the app.
 *
 * @returns a promise of the first touch.
 */
export function queueFirstTouches(app: HTMLElement): Promise<void> {
  let clicked: HTMLButtonElement | undefined
  const stop = new AbortController()
  const { signal } = stop
  return new Promise((touched) => {
    for (const event of ['pointerdown', 'pointerover', 'keydown', 'focusin'])
      app.addEventListener(event, () => touched(), { signal, passive: true })
    app.addEventListener(
      'click',
      ({ target }) => {
        const button = target instanceof Element ? target.closest('button') : null
        if (button) {
          if (clicked) showBusy(clicked, false)
          clicked = button
          showBusy(button, true)
        }
        touched()
      },
      { signal },
    )
    app.addEventListener(
      MOUNTED,
      () => {
        stop.abort()
        if (!clicked) return
        showBusy(clicked, false)
        const name = nameOf(clicked)
        ;[...app.querySelectorAll('button')].find((each) => nameOf(each) === name)?.click()
      },
      { signal },
    )
  })
}

/** On a slow network the app comes seconds after the press. */
function showBusy(button: HTMLButtonElement, isBusy: boolean): void {
  if (isBusy) button.setAttribute('aria-busy', 'true')
  else button.removeAttribute('aria-busy')
  button.style.opacity = isBusy ? '0.6' : ''
}

/** Its accessible name, as far as the buttons of home need it. */
function nameOf(button: Element): string {
  return button.getAttribute('aria-label') ?? button.textContent ?? ''
}
