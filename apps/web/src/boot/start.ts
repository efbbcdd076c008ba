import { mayReload } from '../browser/page-reload.ts'
import { queueFirstTouches } from './first-touch.ts'

/**
 * Runs inline at the end of the body. The first view is prerendered, so the app loads after its paint, when the browser is
 * idle; immediately after a touch, for a visitor with a session, and for another screen than home.
 */
const app = document.getElementById('app')
const chunks = app?.dataset.chunks?.split(' ') ?? []

if (app && chunks.length > 0) {
  let isLoading = false
  const start = () => {
    if (isLoading) return
    isLoading = true
    void runChunks(app)
  }
  const touched = queueFirstTouches(app)
  if (app.dataset.first !== 'home') start()
  else {
    // A touch waits for the paint too: a pointer that rests where the page appears counts as one.
    whenPainted(() => {
      void touched.then(start)
      whenIdle(start)
    })
  }
}

/**
 * Fetches the app's chunks and the styles of all screens together, but runs each chunk in its own task, so that the page
 * responds in between.
 */
async function runChunks(container: HTMLElement): Promise<void> {
  const styled = load('link', { rel: 'stylesheet', href: container.dataset.styles })
  for (const href of chunks) void load('link', { rel: 'modulepreload', href })
  // The last chunk mounts the app, which needs its styles.
  for (const [index, src] of chunks.entries()) {
    const isReady = index < chunks.length - 1 || (await styled)
    if (isReady && (await load('script', { type: 'module', src }))) continue
    if (navigator.onLine && mayReload(sessionStorage, location.hash, Date.now())) location.reload()
    else showFatalPage(container)
    return
  }
}

/** Adds an element to the head. @returns whether its file could be loaded. */
function load(name: string, properties: object): Promise<boolean> {
  return new Promise((resolve) => {
    document.head.append(
      Object.assign(document.createElement(name), properties, {
        onload: () => resolve(true),
        onerror: () => resolve(false),
      }),
    )
  })
}

/** The app's code cannot be loaded: shows the prerendered error page, which needs none. */
function showFatalPage(container: HTMLElement): void {
  const page = document.getElementById(`fatal-${document.documentElement.lang}`)
  if (page instanceof HTMLTemplateElement) container.replaceChildren(page.content)
}

/** Where nothing is painted, as in a tab in the background, after a second. */
function whenPainted(run: () => void): void {
  const observer = new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) proceed()
  })
  const timer = setTimeout(proceed, 1_000)
  observer.observe({ type: 'paint', buffered: true })

  function proceed(): void {
    observer.disconnect()
    clearTimeout(timer)
    run()
  }
}

function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 2_000 })
  else setTimeout(run, 200)
}
