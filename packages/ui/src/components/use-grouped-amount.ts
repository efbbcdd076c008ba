import { useLayoutEffect, useRef, useState } from 'react'
import { groupTyped, pressKey, type TypedAmount } from './amount-input.ts'

const NOTHING: TypedAmount = { shown: '', value: '' }

/**
 * The text of an amount field, grouped by thousands while it is typed. The caret keeps its place among the digits.
 *
 * @param value plain decimal text, as typed so far.
 */
export function useGroupedAmount(value: string, decimals: number) {
  const [typed, setTyped] = useState(NOTHING)
  const caret = useRef<{ input: HTMLInputElement; at: number }>(undefined)
  const shown = typed.value === value ? typed.shown : groupTyped(value)
  useLayoutEffect(() => {
    const { input, at } = caret.current ?? {}
    caret.current = undefined
    if (!input || at === undefined || document.activeElement !== input) return
    input.setSelectionRange(at, at)
  })
  return {
    shown,
    /**
     * Call it with each change, before the value changes.
     *
     * @param before the text that the field showed.
     * @returns the new amount, or `undefined` when the key is ignored.
     */
    note(input: HTMLInputElement, before = shown): string | undefined {
      const { at, ...next } = pressKey(input.value, input.selectionEnd ?? input.value.length, { decimals, before })
      caret.current = { input, at }
      // A new object renders the field again, so that the caret stays where it was after an ignored key too.
      setTyped({ shown: next.value === undefined ? shown : next.shown, value: next.value ?? value })
      return next.value
    },
    /** Call it when the field loses the focus: an open comma becomes a point, and one without digits goes. */
    settle: () => setTyped(NOTHING),
  }
}
