/**
 * What is tapped on the prerendered page before the app has mounted over it is not lost: links work by themselves, a
 * button's click is kept and given to the same button once it lives.
 */
export function queueFirstTouches(app: HTMLElement): { first: Promise<void>; replay(): void } {
  let clicked: string | undefined
  let touched = () => {}
  const first = new Promise<void>((resolve) => {
    touched = resolve
  })
  const events = ['pointerdown', 'pointerover', 'keydown', 'focusin'] as const
  const stop = new AbortController()
  for (const event of events) app.addEventListener(event, touched, { signal: stop.signal, passive: true })
  app.addEventListener(
    'click',
    ({ target }) => {
      const button = target instanceof Element ? target.closest('button') : null
      if (button) clicked = nameOf(button)
      touched()
    },
    { signal: stop.signal },
  )
  return {
    first,
    replay() {
      stop.abort()
      const button = [...app.querySelectorAll('button')].find((each) => nameOf(each) === clicked)
      button?.click()
    },
  }
}

/** Its accessible name, as far as the buttons of home need it. */
function nameOf(button: Element): string {
  return button.getAttribute('aria-label') ?? button.textContent ?? ''
}
