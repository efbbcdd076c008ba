import { useOnline } from '@clearwell/ui/browser/use-online.ts'
import { Button, buttonClass } from '@clearwell/ui/components/button.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { m } from '../generated/messages.ts'
import { reloadOnceServed } from './missing-chunk.ts'

const LOOK_EVERY_MS = 4_000

/** A screen whose code could not be loaded without the network or the server. It opens when they are back. */
export function AwayPage() {
  const isOnline = useOnline()
  const [isBusy, setIsBusy] = useState(false)
  useEffect(() => {
    if (!isOnline) return
    void reloadOnceServed()
    const timer = setInterval(() => void reloadOnceServed(), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [isOnline])
  const retry = async () => {
    setIsBusy(true)
    await reloadOnceServed()
    setIsBusy(false)
  }
  return (
    <div role="alert" className="flex flex-1 flex-col items-center justify-center gap-3 px-6 py-12 text-center">
      <Icon name="wifi-off" className="size-7 text-warn" />
      <h1 className="text-screen">{isOnline ? m.app_away_title() : m.app_away_offline_title()}</h1>
      <p className="text-phrases text-muted">{m.app_away_text()}</p>
      <div className="mt-3 flex flex-wrap justify-center gap-3">
        <Button look="quiet" icon="refresh-cw" busy={isBusy} onClick={retry}>
          {m.app_retry()}
        </Button>
        <Link to="/{-$locale}" className={buttonClass()}>
          {m.app_go_home()}
        </Link>
      </div>
    </div>
  )
}
