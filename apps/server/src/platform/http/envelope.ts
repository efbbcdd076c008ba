import { CODES, type CodeName, type Envelope, type Locale } from '@clearwell/api/codes'
import { refusalText } from '@clearwell/api/refusal-texts'
import { QUERY_CANCELLED, sqlState } from '@clearwell/ledger/database'
import { Refusal } from '@clearwell/ledger/refusal'
import { NotReady } from '@clearwell/ledger/writer'

export interface EnvelopeResponse {
  readonly status: number
  readonly body: Envelope
}

export function envelope(name: CodeName, data: unknown, locale: Locale): EnvelopeResponse {
  const { code, http } = CODES[name]
  return { status: http, body: { code, msg: refusalText(name, data, locale), data } }
}

/**
 * Turns a thrown value into a response: a refusal into its code, anything else into "something went wrong" with a trace
 * id and no internals.
 *
 * @param request.traceId the id of the request, which the user sees beside a bug.
 * @param request.onBug receives each value that is no refusal, with that id.
 */
export function errorEnvelope(
  error: unknown,
  { locale, traceId, onBug }: { locale: Locale; traceId: string; onBug: (error: unknown, traceId: string) => void },
): EnvelopeResponse {
  if (error instanceof Refusal && Object.hasOwn(CODES, error.refusal))
    return envelope(error.refusal as CodeName, error.data, locale)
  if (error instanceof NotReady) return envelope('not_ready', error.part ? { part: error.part } : {}, locale)
  onBug(error, traceId)
  // A statement that took too long: the same request may succeed later, but the operator must know.
  if (sqlState(error) === QUERY_CANCELLED) return envelope('not_ready', { trace_id: traceId }, locale)
  return envelope('something_went_wrong', { trace_id: traceId }, locale)
}

/** The first language of `Accept-Language` that the product speaks: any Chinese is zh-HK. */
export function localeOf(acceptLanguage: string | undefined): Locale {
  const [, language] = /(?:^|,)\s*(en|zh)\s*(?:[-;,]|$)/i.exec(acceptLanguage ?? '') ?? []
  return language?.toLowerCase() === 'en' ? 'en' : 'zh-HK'
}
