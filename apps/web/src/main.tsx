import { startTransition, useEffect } from 'react'
import { refreshUser } from './account/refresh-user.ts'
import { provideSignIn } from './account/sign-in-port.ts'
import { forgetPersonalDataOnSignOut } from './api/query-client.ts'
import { App } from './app/app.tsx'
import { followBuilds } from './app/builds.ts'
import { reloadOnMissingChunk } from './app/reload-guard.ts'
import { createAppRouter } from './app/router.ts'
import { keepChosenLocaleOnBack } from './app/use-locale-switch.ts'
import { MOUNTED } from './boot/first-touch.ts'
import { createRoot } from './boot/react.ts'
import { followWallet } from './features/session/follow-wallet.ts'
import { followSystemColorMode } from './ui/color-mode.ts'
import './ui/theme.css'
import { resumeWallet } from './wallet/wallet.ts'

/** The app, mounted over the prerendered page. `boot/start.ts` loads it when there is time. */
const container = document.getElementById('app')
if (!container) throw new Error('index.html has no #app')

reloadOnMissingChunk()
followSystemColorMode()
provideSignIn(async () => (await import('./features/session/sign-in.ts')).signIn())
followWallet()
forgetPersonalDataOnSignOut()
void mount(container)

/** In steps, between which the page can answer. */
async function mount(element: HTMLElement): Promise<void> {
  await nextTask()
  const router = createAppRouter()
  keepChosenLocaleOnBack(router.history)
  followBuilds(router)
  const root = createRoot(element)
  await nextTask()
  // First the screen's own code, so that the prerendered page is replaced by a whole screen and not by an empty one.
  await router.load()
  await nextTask()
  // As a transition, which React renders in slices.
  startTransition(() => {
    root.render(
      <App router={router}>
        <Mounted />
      </App>,
    )
  })
  resumeWallet()
  void refreshUser()
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

function Mounted() {
  useEffect(() => {
    container?.dispatchEvent(new Event(MOUNTED))
  }, [])
  return null
}
