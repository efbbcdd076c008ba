import { afterTouch } from '@clearwell/ui/browser/after-touch.ts'
import { useStore } from '@clearwell/ui/browser/store.ts'
import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'
import { useEffect } from 'react'
import { useAccount } from '../../../account/use-account.ts'
import { failedCheckOf } from './kept-check.ts'

const BalanceBanner = lazyPart(() => import('./balance-banner.tsx'))

/** Time after the first touch: other work of the visit goes first. */
const QUIET_AFTER_MS = 5_000

/** Part of the frame: checks the balance quietly, and shows a check that did not hold until its owner removes it. */
export function BalanceHost() {
  const { user } = useAccount()
  const owner = user?.address.toLowerCase() ?? ''
  const failure = useStore(failedCheckOf(owner))
  useEffect(() => {
    if (owner === '') return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isWanted = true
    afterTouch(() => {
      clearTimeout(timer)
      if (isWanted) timer = setTimeout(() => void startQuietly(owner), QUIET_AFTER_MS)
    })
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [owner])
  return failure && <BalanceBanner />
}

async function startQuietly(owner: string): Promise<void> {
  // Without its code there is no check; the next visit tries again.
  const quiet = await import('./quiet-check.ts').catch(() => undefined)
  await quiet?.checkQuietly(owner)
}
