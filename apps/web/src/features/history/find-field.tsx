import { useDebounced } from '@clearwell/ui/browser/use-debounced.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useEffect, useRef, useState } from 'react'
import { m } from '../../generated/messages.ts'

const TYPING_PAUSE_MS = 250

/** Searches the activity while its user types. */
export function FindField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(value)
  const settled = useDebounced(typed, TYPING_PAUSE_MS)
  const change = useRef(onChange)
  change.current = onChange
  const sent = useRef(value)
  useEffect(() => {
    if (settled === sent.current) return
    sent.current = settled
    change.current(settled)
  }, [settled])
  return (
    <div className="flex items-center gap-2 rounded-control bg-input px-3 focus-within:outline-2 focus-within:outline-accent light:bg-line">
      <Icon name="search" className="text-muted" />
      <input
        type="search"
        aria-label={m.history_find()}
        placeholder={m.history_find()}
        value={typed}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        onChange={(event) => setTyped(event.target.value)}
        className="min-h-11 min-w-0 flex-1 bg-transparent outline-none placeholder:text-muted"
      />
    </div>
  )
}
