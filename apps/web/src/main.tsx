import { afterTouch } from '@clearwell/ui/browser/after-touch.ts'
import { followSystemColorMode } from '@clearwell/ui/browser/color-mode.ts'
import { dropLeftEntries, watchHistory } from '@clearwell/ui/browser/sheet-history.ts'
import { loadFailureStore, loadPart } from '@clearwell/ui/components/lazy-part.tsx'
import { localeOfPath, pathInLocale } from '@clearwell/ui/i18n/locale-path.ts'
import { startTransition, useEffect } from 'react'
import {
  forgetPersonalDataOnSignOut,
  provideFailureDialog,
  refreshUser,
  showFiguresWithoutResponse,
} from './api/query-client.ts'
import { provideSignIn } from './api/session-store.ts'
import { App } from './app/app.tsx'
import { followBuilds } from './app/builds.ts'
import { reloadOnMissingChunk } from './app/missing-chunk.ts'
import { keepChosenLocaleOnBack } from './app/use-locale-switch.ts'
import { MOUNTED } from './boot/first-touch.ts'
import { createRoot, hydrateRoot } from './boot/react.ts'
import { fetchFont } from './browser/brand-font.ts'
import { keepInstallPrompt } from './browser/install-prompt.ts'
import { showFailure } from './features/exit/show-failure.ts'
import { followWallet, showSignedOut } from './features/session/follow-wallet.ts'
import { type AppRouter, createAppRouter, focusAfterNavigation } from './routes/router.ts'
import './app.css'
import { resumeWallet } from './wallet/wallet.ts'
import { walletStore } from './wallet/wallet-store.ts'

/** The app, mounted over the prerendered page. `boot/start.ts` loads it when there is time. */
const container = document.getElementById('app')
if (!container) throw new Error('index.html has no #app')

reloadOnMissingChunk()
keepInstallPrompt()
followSystemColorMode()
provideSignIn(signIn)
provideFailureDialog(showFailure)
followWallet()
forgetPersonalDataOnSignOut()
showFiguresWithoutResponse(showKeptFigures)
afterTouch(() => void import('./app/keep-offline.ts').then(({ keepOffline }) => keepOffline()).catch(() => {}))
void keepInvitation()
void mount(container)

/** The first press loads its code, and beside it that of its sheet. */
async function signIn(): Promise<boolean> {
  void import('./features/session/sign-in-sheet.tsx').catch(() => {})
  const session = await loadPart(() => import('./features/session/sign-in.ts')).catch(() => loadFailureStore.set(true))
  return session?.signIn() ?? false
}

async function showKeptFigures(): Promise<void> {
  const kept = await import('./api/kept-figures.ts').catch(() => undefined)
  await kept?.showKeptFigures().catch(() => {})
}

/** The inviter's code must not be lost with the first change of the screen. */
async function keepInvitation(): Promise<void> {
  const { href } = location
  if (!href.includes('pid=')) return
  // If the code cannot be loaded, the address still has the invitation.
  const invitation = await import('./features/session/invitation.tsx').catch(() => undefined)
  invitation?.keepInviteCode(href)
}

/** In steps, between which the page can respond. */
async function mount(element: HTMLElement): Promise<void> {
  await nextTask()
  watchHistory()
  const router = createAppRouter()
  dropLeftEntries()
  keepChosenLocaleOnBack(router.history)
  focusAfterNavigation(router)
  for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, () => fadeTabs(router), { once: true })
  followBuilds(router)
  await nextTask()
  // First the screen's own code, so that a whole screen renders and not an empty one.
  await router.load()
  await nextTask()
  const isSeen = isPrerendered(element, router)
  const app = (
    <App router={router} isHydrating={isSeen}>
      <Mounted router={router} />
    </App>
  )
  // The router must render here as it did at build time.
  if (isSeen) router.ssr = { manifest: undefined }
  // As a transition, which React renders in slices.
  startTransition(() => {
    if (isSeen) hydrateRoot(element, app)
    else createRoot(element).render(app)
  })
  resumeWallet()
  void refreshUser()
  void fetchFont((show) => router.subscribe('onBeforeRouteMount', show))
}

/** A tab is left by a touch or a key, so that the code of its fade waits for one. */
async function fadeTabs(router: AppRouter): Promise<void> {
  const fade = await import('./routes/cross-fade.ts').catch(() => undefined)
  fade?.crossFadeTabs(router)
}

/**
 * Returns whether the page shows exactly the app's first render. React then hydrates it, at a third of the cost of
 * rendering. Otherwise, for example for another screen or a reconnecting wallet, React renders the page again.
 */
function isPrerendered(element: HTMLElement, router: AppRouter): boolean {
  const { pathname } = router.state.location
  const { status, isResuming } = walletStore.get()
  const locale = localeOfPath(pathname)
  return (
    element.dataset.first === 'home' &&
    pathname === pathInLocale('/', locale) &&
    element.dataset.locale === locale &&
    status === 'disconnected' &&
    !isResuming
  )
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

function Mounted({ router }: { router: AppRouter }) {
  useEffect(() => {
    container?.dispatchEvent(new Event(MOUNTED))
    showSignedOut()
    // Nothing followed the address while the first screen loaded and rendered.
    if (router.history.location.href !== router.state.location.href) void router.load()
  }, [router])
  return null
}
