import { useStore } from '@clearwell/ui/browser/store.ts'
import { useItems } from '@clearwell/ui/browser/stored.ts'
import { Button } from '@clearwell/ui/components/button.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useEffect, useState } from 'react'
import { useCommandOutcome } from '../account/lost-command/command-outcome.ts'
import { type AllCommandWords, wordsFor } from '../account/lost-command/command-words.ts'
import LostCommandSheet from '../account/lost-command/lost-command-sheet.tsx'
import { useAccount, useAccountAddress } from '../account/use-account.ts'
import { type LostCommand, type LostEnd, lostStore } from '../api/lost-command.ts'
import { canWaitForTabs, type SentCommand, sendingStore, sentCommandsOf, untilSettled } from '../api/sent-commands.ts'
import { m } from '../generated/messages.ts'

/** More notes than these would fill the screen; the others follow when one is closed. */
const MOST_NOTES = 2

/**
 * A note for each command without a seen outcome, the sheet of the one that the user opened, and the sheet of the one that this
 * page has just lost. A command that is sent again from its sheet has no note meanwhile, but keeps its sheet.
 */
export function LostCommands({ words }: { words: AllCommandWords }) {
  const sent = useItems(sentCommandsOf(useAccountAddress()))
  const sending = useStore(sendingStore)
  const settled = useSettled(sent)
  const [waiting] = useStore(lostStore)
  const [openKey, setOpenKey] = useState<string>()
  const lost = sent.filter(({ key }) => settled.includes(key) && !sending.includes(key))
  const opened = sent.find(({ key }) => key === openKey)
  return (
    <>
      {lost.slice(0, MOST_NOTES).map((each) => (
        <LostCommandNote key={each.key} sent={each} words={words} onOpen={() => setOpenKey(each.key)} />
      ))}
      {opened && (
        <LostCommandSheet key={opened.key} sent={opened} words={words} onClose={() => setOpenKey(undefined)} />
      )}
      {waiting && <WaitingSheet key={waiting.sent.key} waiting={waiting} words={words} />}
    </>
  )
}

/** The sheet of a command that this page has lost. Its screen shows the outcome, if it is still there. */
function WaitingSheet({
  waiting,
  words,
}: {
  waiting: LostCommand & { readonly end: (end: LostEnd) => void }
  words: AllCommandWords
}) {
  const { sent, isShown, end } = waiting
  return (
    <LostCommandSheet
      sent={sent}
      words={words}
      onEnd={(found) => isShown() && end(found)}
      onClose={() => end(undefined)}
    />
  )
}

/** A command whose response was lost, with its outcome so far. */
function LostCommandNote({ sent, words, onOpen }: { sent: SentCommand; words: AllCommandWords; onOpen: () => void }) {
  const { signedIn } = useAccount()
  const { outcome, isError } = useCommandOutcome(sent, { isSending: false })
  return (
    <section
      aria-label={m.account_lost_title()}
      className="flex items-center gap-3 border-b border-line py-2 ps-4 pe-2 text-label"
    >
      <Icon name="triangle-alert" className="text-warn" />
      <p role="status" className="min-w-0 flex-1">
        <strong className="block">{wordsFor(words, sent).asked(sent)}</strong>
        <span>{noteText()}</span>
      </p>
      <Button look="quiet" size="small" aria-haspopup="dialog" onClick={onOpen}>
        {m.account_lost_open()}
      </Button>
    </section>
  )

  function noteText(): string {
    switch (outcome.name) {
      case 'checking':
        if (!signedIn) return m.account_lost_sign_in()
        return isError ? m.account_lost_unreachable() : m.account_lost_checking()
      case 'done':
        return m.account_lost_done()
      case 'refused':
        return m.account_lost_refused()
      case 'not_arrived':
        return m.account_lost_not_arrived()
      case 'too_late':
        return m.account_lost_too_late()
      case 'unknown':
        return m.account_lost_unknown_short()
    }
  }
}

/** The keys of the commands that no tab is sending any more. */
function useSettled(sent: readonly SentCommand[]): readonly string[] {
  const [settled, setSettled] = useState<readonly string[]>([])
  const keys = sent.map(({ key }) => key).join(' ')
  useEffect(() => {
    if (!canWaitForTabs()) return
    for (const key of keys.split(' ').filter((each) => each !== ''))
      void untilSettled(key).then(() => setSettled((before) => (before.includes(key) ? before : [...before, key])))
  }, [keys])
  return canWaitForTabs() ? settled : keys.split(' ')
}
