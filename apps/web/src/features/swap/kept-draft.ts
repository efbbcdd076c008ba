import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { EMPTY_DRAFT, type SwapDraft } from './swap-draft.ts'

/** By the entry of the browser's history that it was typed at; gone with the page. */
const drafts = new Map<string, SwapDraft>()

/** What is typed. Whoever looks at a chart and comes back by Back finds it as it was; whoever comes anew begins anew. */
export function useKeptDraft(): [SwapDraft, (draft: SwapDraft) => void] {
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' })
  const [draft, setDraft] = useState(() => drafts.get(entry) ?? EMPTY_DRAFT)
  useEffect(() => {
    drafts.set(entry, draft)
  }, [entry, draft])
  return [draft, setDraft]
}
