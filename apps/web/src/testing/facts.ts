/**
 * The names and values of all lists of facts in a screen's HTML, as `name: value`, so that a test asserts both together. A value under
 * another name is a wrong screen, although both words are on it.
 */
export function factsIn(html: string): string[] {
  return [...html.matchAll(/<dt[^>]*>(.*?)<\/dt>\s*<dd[^>]*>(.*?)<\/dd>/gs)].map(
    ([, name = '', value = '']) => `${textOf(name)}: ${textOf(value)}`,
  )
}

/** The notes of all fields in a screen's HTML that have one, as `label: note`. */
export function notesIn(html: string): string[] {
  const labels = [...html.matchAll(/<label[^>]* for="([^"]+)"[^>]*>(.*?)<\/label>/gs)]
  return labels.flatMap(([, id = '', label = '']) => {
    const start = html.indexOf(`<p id="${id}-note"`)
    const note = start === -1 ? '' : textOf(html.slice(start, html.indexOf('</p>', start)))
    return note === '' ? [] : [`${textOf(label)}: ${note}`]
  })
}

/** The visible text of HTML, with one space between elements and none within a number. */
export function textOf(html: string): string {
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(\d) (\.\d)/g, '$1$2')
    .trim()
}
