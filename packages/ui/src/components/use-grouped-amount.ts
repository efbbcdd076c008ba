import { useLayoutEffect, useRef, useState } from 'react'
import { caretBefore, shownWhileTyping } from './amount-input.ts'

/**
 * The text of an amount field, grouped by thousands while it is typed. The caret keeps its place among the digits.
 *
 * @param value plain decimal text, as typed so far.
 */
export function useGroupedAmount(value: string, decimals: number) {
  const [typed, setTyped] = useState('')
  const caret = useRef<{ input: HTMLInputElement; behind: number }>(undefined)
  const shown = shownWhileTyping(typed, value, decimals)
  useLayoutEffect(() => {
    const { input, behind } = caret.current ?? {}
    caret.current = undefined
    if (!input || behind === undefined || document.activeElement !== input) return
    const at = caretBefore(shown, behind)
    input.setSelectionRange(at, at)
  })
  return {
    shown,
    /** Call it with each change, before the value changes. */
    note(input: HTMLInputElement) {
      setTyped(input.value)
      const at = input.selectionEnd ?? input.value.length
      caret.current = { input, behind: input.value.slice(at).replaceAll(',', '').length }
    },
    /** Call it when the field loses the focus: an open comma becomes a point. */
    settle: () => setTyped(''),
  }
}
