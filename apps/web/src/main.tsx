import { startTransition, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { refreshUser } from './account/refresh-user.ts'
import { provideSignIn } from './account/sign-in-port.ts'
import { forgetPersonalDataOnSignOut } from './api/query-client.ts'
import { App } from './app/app.tsx'
import { followBuilds } from './app/builds.ts'
import { createAppRouter } from './app/router.ts'
import { keepChosenLocaleOnBack } from './app/use-locale-switch.ts'
import { followWallet } from './features/session/follow-wallet.ts'
import { followSystemColorMode } from './ui/color-mode.ts'
import { resumeWallet } from './wallet/wallet.ts'

/** Mounts the app over the prerendered page. @param onMounted is called once, when it is on the screen. */
export async function mountApp(container: HTMLElement, onMounted: () => void): Promise<void> {
  followSystemColorMode()
  provideSignIn(async () => (await import('./features/session/sign-in.ts')).signIn())
  followWallet()
  forgetPersonalDataOnSignOut()

  const router = createAppRouter()
  keepChosenLocaleOnBack(router.history)
  followBuilds(router)
  // Before the first render, so that the prerendered page is replaced by a whole screen and not by an empty one.
  await router.load()

  // As a transition React renders in slices, and the page stays responsive.
  startTransition(() => {
    createRoot(container).render(
      <App router={router}>
        <Mounted onMounted={onMounted} />
      </App>,
    )
  })

  resumeWallet()
  void refreshUser()
}

function Mounted({ onMounted }: { onMounted: () => void }) {
  useEffect(onMounted, [onMounted])
  return null
}
