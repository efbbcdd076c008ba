/** The file with the static content of a screen: `/white/_payload.json`, in English `/en/white/_payload.json`. */
export function payloadPath(screen: string, locale: 'zh-HK' | 'en'): string {
  // One for all markets.
  const folder = screen === '/' ? '' : screen.replace('/{name}', '')
  return `${locale === 'en' ? '/en' : ''}${folder}/_payload.json`
}
