import { useStore } from '@clearwell/ui/browser/store.ts'
import { Button } from '@clearwell/ui/components/button.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { useEffect, useState } from 'react'
import { installPromptStore, wasOffered } from '../browser/install-prompt.ts'
import { m } from '../generated/messages.ts'

/**
 * Offers to install the app: once on this device, after the first swap or deposit that completed. A browser that cannot install it, or
 * has done so, shows nothing.
 */
export function InstallOffer() {
  const prompt = useStore(installPromptStore)
  // As it was when the outcome appeared: the offer stays until its screen closes.
  const [isDue, setDue] = useState(() => wasOffered.get() === undefined)
  useEffect(() => {
    if (prompt && isDue) wasOffered.set('yes')
  }, [prompt, isDue])
  if (!prompt || !isDue) return null
  const install = async () => {
    setDue(false)
    await prompt.prompt()
  }
  return (
    <Card title={m.install_title()}>
      <div className="flex flex-col gap-3">
        <p className="text-secondary text-muted">{m.install_text()}</p>
        <div className="grid grid-cols-2 gap-2">
          <Button look="quiet" onClick={() => setDue(false)}>
            {m.install_later()}
          </Button>
          <Button look="quiet" icon="download" onClick={() => void install().catch(() => {})}>
            {m.install_action()}
          </Button>
        </div>
      </div>
    </Card>
  )
}
