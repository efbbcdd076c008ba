import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'

/** Keyboard attributes and placeholder of every amount field. */
export const AMOUNT_FIELD = {
  inputMode: 'decimal',
  autoComplete: 'off',
  autoCorrect: 'off',
  spellCheck: false,
  enterKeyHint: 'done',
  placeholder: '0',
} as const

/**
 * Turns typed text into plain decimal text: full-width digits become plain ones, grouping is removed, a leading point
 * gets its zero.
 *
 * @param before the previous content of the field. If that was grouped, one key more or less leaves commas in odd
 *   positions; they still are no decimal mark.
 * @returns `undefined` when it is not an amount, so that the key press is ignored.
 */
export function cleanAmountInput(typed: string, decimals: number, before = ''): string | undefined {
  const normal = typed.normalize('NFKC').replace(/\s/g, '').replace('。', '.')
  const isEdited = GROUPED.test(before) && isOneKeyFrom(before, normal)
  const ungrouped = isEdited ? normal.replaceAll(',', '') : (openComma(before, normal) ?? withoutCommas(normal))
  const plain = ungrouped?.replace(/^\./, '0.').replace(/^0+(?=\d)/, '')
  if (plain === undefined || plain === '') return plain
  const match = /^\d{1,30}(?:\.(\d*))?$/.exec(plain)
  if (!match || (match[1]?.length ?? 0) > decimals) return undefined
  return plain
}

/**
 * Commas go only where they cannot be read as a decimal mark: between groups of three, or before a point. A single one
 * that groups nothing is a decimal mark: `1,5` is one and a half, and never fifteen. So is one behind a grouped amount.
 */
function withoutCommas(text: string): string | undefined {
  const isGrouped = /^[1-9]\d{0,2}(,\d{3})+$/.test(text) || /^\d[\d,]*\.\d*$/.test(text)
  if (isGrouped) return text.replaceAll(',', '')
  if (/^[1-9]\d{0,2}(,\d{3})+,$/.test(text)) return `${text.replaceAll(',', '')}.`
  return text.split(',').length > 2 ? undefined : text.replace(',', '.')
}

/** Returns whether one key press added or removed one character of a grouped text, other than a comma. */
function isOneKeyFrom(before: string, text: string): boolean {
  if (!before.includes(',') || Math.abs(text.length - before.length) !== 1) return false
  const [longer, shorter] = text.length > before.length ? [text, before] : [before, text]
  const at = [...longer].findIndex((char, index) => char !== shorter[index])
  return longer.slice(0, at) + longer.slice(at + 1) === shorter && !(longer === text && text[at] === ',')
}

/**
 * Reads a comma behind a grouped amount, which groups three digits more or ends the whole amount: `1,234,5` becomes
 * `1,234,567` with two keys more. Only while typing: pasted text has no next key.
 */
function openComma(before: string, text: string): string | undefined {
  const isTyped = Math.abs(text.length - before.length) <= 1
  const isOpen = OPEN_GROUPS.test(text) || (OPEN_GROUPS.test(before) && /,\d*,\d*$/.test(text))
  if (!isTyped || !isOpen || GROUPED.test(text)) return undefined
  const at = text.lastIndexOf(',')
  return `${text.slice(0, at).replaceAll(',', '')}.${text.slice(at + 1)}`
}

/** A comma whose meaning the next keys decide: `1,5` is one and a half, and `1,500` is 1500. */
const OPEN_COMMA = /^\d*,\d{0,2}$/
/** The same behind an amount that has group separators. */
const OPEN_GROUPS = /^[1-9]\d{0,2}(,\d{3})+,\d{0,2}$/
/** An amount with group separators, as `groupTyped` writes it. */
const GROUPED = /^\d{1,3}(,\d{3})+(\.\d*)?$/

/** The content of an amount field after a key. */
export interface TypedAmount {
  /** The text in the field: as typed while a comma is open, else grouped by thousands. */
  readonly shown: string
  /** The amount, without a separator that has no digits behind it yet. */
  readonly value: string
}

/**
 * Reads an amount field after a key press.
 *
 * @returns `undefined` when the key makes no amount, so that it is ignored.
 */
export function readTypedAmount(typed: string, decimals: number, before = ''): TypedAmount | undefined {
  const cleaned = cleanAmountInput(typed, decimals, before)
  if (cleaned === undefined) return undefined
  const normal = typed.normalize('NFKC').replace(/\s/g, '')
  const isOpen = (OPEN_COMMA.test(normal) || OPEN_GROUPS.test(normal)) && cleaned === cleanedOpen(normal)
  return { shown: isOpen ? normal : groupTyped(cleaned), value: cleaned.replace(/\.$/, '') }
}

/** An open text read with its last comma as the decimal mark. */
function cleanedOpen(text: string): string {
  const at = text.lastIndexOf(',')
  const whole = text
    .slice(0, at)
    .replaceAll(',', '')
    .replace(/^0+(?=\d)/, '')
  return `${whole || '0'}.${text.slice(at + 1)}`
}

/** Plain decimal text as typed so far, grouped by thousands: `1234.` becomes `1,234.`. Other text stays. */
export function groupTyped(value: string): string {
  const [, whole = '', rest = ''] = /^(\d+)(\.\d*)?$/.exec(value) ?? []
  return whole === '' ? value : whole.replace(/\B(?=(\d{3})+$)/g, ',') + rest
}

/**
 * Reads a key press with the place of the caret.
 *
 * @param typed the text of the field with the key in it.
 * @param at the place of the caret there.
 * @param before the text that the field showed before.
 * @returns the field after it; `value` is `undefined` when the key is ignored.
 */
export function pressKey(typed: string, at: number, { decimals, before }: { decimals: number; before: string }) {
  const next = readTypedAmount(typed, decimals, before)
  if (next) return { ...next, at: caretIn(next.shown, { typed, at }) }
  return { shown: before, value: undefined, at: Math.max(0, at - (typed.length - before.length)) }
}

/** The place of the caret once a text is shown grouped: as many characters other than commas stay behind it. */
function caretIn(shown: string, { typed, at }: { typed: string; at: number }): number {
  if (typed === shown) return at
  let behind = typed.slice(at).replaceAll(',', '').length
  for (let place = shown.length; place > 0; place--) {
    // Before a comma, so that a second Backspace reaches the digit there.
    if (behind === 0 && shown[place - 1] !== ',') return place
    if (shown[place - 1] !== ',') behind -= 1
  }
  return 0
}

/** A part of a balance. Down: a part is never more than there is. */
export function percentOf(balance: string, percent: number, decimals: number): string {
  const units = parseUnits(balance, decimals) ?? 0n
  return formatUnits(mulDiv(units, BigInt(percent), 100n, 'down'), decimals)
}

/** The base units of an amount as typed so far; a trailing point, as in `12.`, does not count. */
export function typedUnits(text: string, decimals: number): bigint | undefined {
  return parseUnits(text.replace(/\.$/, ''), decimals)
}

/** Why an amount cannot be used; `undefined` when it can. */
export type AmountProblem = 'missing' | 'invalid' | 'under_min' | 'over_max' | 'over_balance' | undefined

/**
 * Compares an amount with its bounds, all in base units.
 *
 * @param text plain decimal text, as typed.
 * @param balance the spendable amount; `undefined` while unknown, and then not compared.
 */
export function amountProblem(
  text: string,
  { decimals, min = 0n, max, balance }: { decimals: number; min?: bigint; max?: bigint; balance: bigint | undefined },
): AmountProblem {
  if (text === '') return 'missing'
  const units = parseUnits(text, decimals)
  if (units === undefined) return 'invalid'
  if (units === 0n) return 'missing'
  // The balance comes first: an amount that the owner does not have is a nearer problem than the maximum.
  if (balance !== undefined && units > balance) return 'over_balance'
  if (max !== undefined && units > max) return 'over_max'
  return units < min ? 'under_min' : undefined
}
