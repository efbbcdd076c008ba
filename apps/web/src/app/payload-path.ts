import type { Locale } from '../i18n/locale.ts'
import type { SpecRoute } from './routes-of-spec.ts'

/** Where the static content of a screen stands: `/white/_payload.json`, in English `/en/white/_payload.json`. */
export function payloadPath(route: SpecRoute, locale: Locale): string {
  // One for all markets.
  const folder = route === '/' ? '' : route.replace('/{name}', '')
  return `${locale === 'en' ? '/en' : ''}${folder}/_payload.json`
}
