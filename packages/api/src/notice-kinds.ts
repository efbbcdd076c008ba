import type * as z from 'zod/mini'
import { mergeParts } from './parts.ts'

/**
 * Every kind of notice that users can get, with its facts. Each server feature lists the kinds that it sends, and the web
 * has a text for each in both languages: a kind without a text does not compile.
 */
export const NOTICE_KINDS = mergeParts('notices')
export type NoticeKind = keyof typeof NOTICE_KINDS
export type NoticeParams<Kind extends NoticeKind> = z.output<(typeof NOTICE_KINDS)[Kind]>

/** The facts that a push message about a notice tells a device. A kind without an entry is not pushed with the notice. */
export const PUSHED_FACTS: { readonly [Kind in NoticeKind]?: readonly (keyof NoticeParams<Kind>)[] } =
  mergeParts('pushedFacts')
