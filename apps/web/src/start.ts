import { reloadOnMissingChunk } from './app/reload-guard.ts'
import { queueFirstTouches } from './boot/first-touch.ts'
import './ui/theme.css'

/**
 * The entry. What is seen first is prerendered, so the app itself is loaded when the browser has time for it: at once
 * where somebody touches the page, has a session, or came for another screen than home.
 */
const app = document.getElementById('app')
if (!app) throw new Error('index.html has no #app')

let mounting: Promise<void> | undefined
const touches = queueFirstTouches(app)

reloadOnMissingChunk()
if (app.dataset.first !== 'home') void mount(app)
else {
  const soon = () => void mount(app)
  void touches.first.then(soon)
  whenPainted(() => whenIdle(soon))
}

function mount(container: HTMLElement): Promise<void> {
  mounting ??= runChunks(container.dataset.chunks?.split(' ') ?? [])
    .then(() => import('./main.tsx'))
    .then(({ mountApp }) => mountApp(container, touches.replay))
    .catch(() => showFatalPage(container))
  return mounting
}

/** Fetches the app's chunks all at once, but runs each in a task of its own: between them the page can answer. */
async function runChunks(paths: readonly string[]): Promise<void> {
  for (const href of paths)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
  // The last one is main.tsx's own, which `import('./main.tsx')` runs, and cures where it is missing.
  for (const src of paths.slice(0, -1)) await runScript(src)
}

function runScript(src: string): Promise<unknown> {
  const script = Object.assign(document.createElement('script'), { type: 'module', src })
  const ended = new Promise((resolve) => {
    script.onload = resolve
    script.onerror = resolve
  })
  document.head.append(script)
  return ended
}

/** The app's code is not to be had: the prerendered error page, which needs none. */
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
