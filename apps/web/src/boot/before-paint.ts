import { showMode } from '@clearwell/ui/browser/show-mode.ts'
import { preferredLocale } from '@clearwell/ui/i18n/preferred-locale.ts'
import { startPath } from './start-path.ts'

/**
 * Runs inline in the head, before anything is painted: the colour mode, the font, the language, whether the visitor is
 * invited, and whether the prerendered home is what this visitor should see first. `first-screen.ts` acts on it once the body is there.
 */
const root = document.documentElement
const pageLocale = root.lang

showMode(isLight() ? 'light' : 'dark')
if (stored('clearwell.font')) root.dataset.font = ''

const { path, locale, isHome } = startPath(location, preferredLocale())
// `/en` is where one came in; with the hash, the address would name the language twice.
const isEntrance = /^\/en\/?$/.test(location.pathname)
if (isEntrance || path !== location.hash.slice(1))
  history.replaceState(history.state, '', `${isEntrance ? '/' : location.pathname}${location.search}#${path}`)
root.lang = locale
if (locale !== pageLocale) root.dataset.twin = ''
// Home keeps a place for the invitation: features/session/invitation.tsx.
if (/[?&]pid=\w/.test(location.href) || stored('clearwell.invite')) root.dataset.invited = ''
// A signed-in user never sees the home of a signed-out one; nor does a visitor of another screen.
if (!isHome || stored('clearwell.token')) root.dataset.frame = ''

function isLight(): boolean {
  const choice = stored('clearwell.mode')
  return choice === 'light' || (choice === 'system' && matchMedia('(prefers-color-scheme: light)').matches)
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
