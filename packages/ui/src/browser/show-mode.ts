/** The ground of each mode in theme.css, for the browser's own frame. */
const GROUNDS = { dark: '#0a121c', light: '#f5f8fa' }

/** Shows a mode: the page's colours, and the browser's around it. Also run inline, before the first paint. */
export function showMode(mode: 'light' | 'dark'): void {
  document.documentElement.dataset.mode = mode
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', GROUNDS[mode])
}
