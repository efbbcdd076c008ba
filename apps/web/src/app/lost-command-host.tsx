import { loadTogether } from '@clearwell/ui/browser/load-together.ts'
import { useStore } from '@clearwell/ui/browser/store.ts'
import { useItems } from '@clearwell/ui/browser/stored.ts'
import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'
import { useEffect, useState } from 'react'
import { useAccountAddress } from '../account/use-account.ts'
import { lostSheetWantedStore, lostStore } from '../api/lost-command.ts'
import { sendingStore, sentCommandsOf } from '../api/sent-commands.ts'
import { loadFeatureCommands } from '../features.ts'

const LostCommands = lazyPart(async () => {
  const [{ LostCommands: Loaded }, words] = await loadTogether([import('./lost-commands.tsx'), loadFeatureCommands()])
  return { default: () => <Loaded words={words} /> }
})

/**
 * Part of the frame: shows the commands whose response was lost, on this page or an earlier one. Most visits have none. Once
 * needed it stays: a command that is sent again from its sheet is lost no more, and its outcome is shown there.
 */
export function LostCommandHost() {
  const sent = useItems(sentCommandsOf(useAccountAddress()))
  const sending = useStore(sendingStore)
  const isWaiting = useStore(lostStore).length > 0
  const isWanted = useStore(lostSheetWantedStore)
  useEffect(() => {
    // Offline, the part is loaded when the network returns.
    if (isWanted) LostCommands.preload().catch(() => {})
  }, [isWanted])
  const isNeeded = isWaiting || sent.some(({ key }) => !sending.includes(key))
  const [wasNeeded, setWasNeeded] = useState(false)
  if (isNeeded && !wasNeeded) setWasNeeded(true)
  return (isNeeded || wasNeeded) && <LostCommands />
}
