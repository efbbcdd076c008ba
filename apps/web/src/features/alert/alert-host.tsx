import { loadPart } from '@clearwell/ui/components/lazy-part.tsx'
import { currentLocale } from '@clearwell/ui/i18n/locale.ts'
import { useEffect } from 'react'
import { useAccount } from '../../account/use-account.ts'

/** Part of the frame: keeps the server's record of this device up to date, so that alerts reach it. */
export function AlertHost() {
  const address = useAccount().user?.address
  const locale = currentLocale()
  // The language goes with it: after a change, alerts arrive in the new one.
  useEffect(() => {
    if (address === undefined) return
    loadPart(() => import('./push-device.ts')).then(
      ({ renewPush }) => renewPush(address),
      // The next page load tries again.
      () => {},
    )
  }, [address, locale])
  return null
}
