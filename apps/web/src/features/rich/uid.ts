/** The external UID and its name as the server accepts them. */

/** The most characters of a name. */
const NAME_LENGTH = 32

export const UID_LENGTH = { least: 6, most: 20 } as const

/** 6 to 20 digits. */
export function isUid(text: string): boolean {
  return text !== '' && uidProblem(text) === undefined
}

/** Why a typed text is no UID. An empty one is not yet wrong in any of these ways. */
export function uidProblem(text: string): 'digits' | 'short' | 'long' | undefined {
  if (text === '') return undefined
  if (!/^\d+$/.test(text)) return 'digits'
  if (text.length < UID_LENGTH.least) return 'short'
  return text.length > UID_LENGTH.most ? 'long' : undefined
}

/** 1 to 32 visible characters, without those that reorder the text around them. */
export function isName(text: string): boolean {
  return new RegExp(`^[^\\p{C}\\p{Zl}\\p{Zp}]{1,${NAME_LENGTH}}$`, 'u').test(text.trim())
}

/** Typed or pasted text as digits: full-width ones become plain, and spaces between groups go. */
export function cleanUid(typed: string): string {
  return typed.normalize('NFKC').replace(/\s/g, '')
}
