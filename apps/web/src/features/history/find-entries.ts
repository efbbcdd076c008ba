import type { EntryKind } from '@clearwell/api/parts'
import type { PayloadInput } from '@clearwell/api/routes'
import { ASSET_IDS } from '@clearwell/money/asset'
import { inEachLocale } from '@clearwell/ui/i18n/locale.ts'
import { ENTRY_KINDS } from '../../generated/entry-kinds.ts'
import { words } from '../../manifest/words.ts'

/** The part of the payload of `logs` that a search fills. */
export type FoundEntries = Pick<PayloadInput<'logs'>, 'asset' | 'kinds' | 'search'>

const HASH = /^0x[0-9a-f]{4,64}$/i
/** The digits of an amount, perhaps signed, with separators of thousands, a separator just typed, or its asset. */
const AMOUNT = /^[+\-−]?\s*(?=\.?\d)(\d{1,3}(?:,\d{3})+|\d{0,30})(?:(\.\d{1,18})|[.,])?\s*([a-z]+)?$/i

/**
 * Reads what a user typed to find entries: the beginning of a hash or of an amount, an asset, or words from the name of a
 * kind in either language.
 *
 * @returns `undefined` if no entry can match.
 */
export function findEntries(typed: string): FoundEntries | undefined {
  const text = typed.trim()
  if (text === '') return {}
  if (HASH.test(text)) return { search: text }
  const amount = AMOUNT.exec(text)
  if (amount) return findAmount(amount)
  const asset = assetNamed(text)
  if (asset) return { asset }
  const kinds = kindsNamed(text)
  return kinds.length === 0 ? undefined : { kinds }
}

/** The longest text that a search may have: a hash. */
const MAX_LENGTH = 80

/** Reads the search of a path, which writes a number without quotes. */
export function readFind(value: unknown): { readonly find?: string } {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, MAX_LENGTH) : ''
  return text.trim() === '' ? {} : { find: text }
}

/** The kinds that both lists have. `undefined` stands for all kinds. */
export function commonKinds(
  one: readonly EntryKind[] | undefined,
  other: readonly EntryKind[] | undefined,
): readonly EntryKind[] | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one.filter((kind) => other.includes(kind))
}

function findAmount([, whole = '', fraction = '', name]: RegExpExecArray): FoundEntries | undefined {
  const asset = name === undefined ? undefined : assetNamed(name)
  if (name !== undefined && asset === undefined) return undefined
  const digits = `0${whole.replaceAll(',', '')}`.replace(/^0+(?=\d)/, '')
  return { search: digits + fraction, ...(asset ? { asset } : {}) }
}

function assetNamed(text: string) {
  return ASSET_IDS.find((asset) => asset === text.toUpperCase())
}

function kindsNamed(text: string): EntryKind[] {
  const wanted = text.toLowerCase()
  const { entries } = words()
  return ENTRY_KINDS.filter((kind) => {
    const { name, sides } = entries[kind]
    const names = [name, ...(sides ? [sides.sold, sides.bought] : [])].flatMap(inEachLocale)
    return names.some((each) => each.toLowerCase().includes(wanted))
  })
}
