import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { refreshUser } from './account/refresh-user.ts'
import { provideSignIn } from './account/sign-in-port.ts'
import { forgetPersonalDataOnSignOut, queryClient } from './api/query-client.ts'
import { startInPreferredLocale } from './app/locale-path.ts'
import { reloadOnMissingChunk } from './app/reload-guard.ts'
import { createAppRouter } from './app/router.ts'
import { followWallet } from './features/session/follow-wallet.ts'
import { signIn } from './features/session/sign-in.ts'
import { followSystemColorMode } from './ui/color-mode.ts'
import './ui/theme.css'
import { resumeWallet } from './wallet/wallet.ts'

reloadOnMissingChunk()
startInPreferredLocale()
followSystemColorMode()
provideSignIn(signIn)
followWallet()
forgetPersonalDataOnSignOut()

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no #app')

createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={createAppRouter()} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)

resumeWallet()
void refreshUser()
