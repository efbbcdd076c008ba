/** HTML in which samples stand for what is loading (components/pending.tsx). */

const SAMPLE = '<div data-pending'
/** Classes of a colour or a motion, which a sample does not have and which move nothing. */
const PAINT = / ?(?<![\w:-])(text-(accent|up|down|warn|muted)|box-light|box-lid(-open)?|roll)(?![\w-])/g
const ANNOUNCED = /<span role="status" class="sr-only">[^<]*<\/span>(?=<div data-pending)/g

/** HTML without its samples: what a user can read. */
export function withoutSamples(html: string): string {
  const start = html.indexOf(SAMPLE)
  if (start === -1) return html
  return html.slice(0, start) + withoutSamples(html.slice(endOf(html, start)))
}

/**
 * The elements of HTML with their classes, without texts, and with the samples in the place of what they stand for. A screen
 * that loads has the same as the loaded one.
 */
export function structureOf(html: string): string[] {
  return [...unwrapped(html.replace(ANNOUNCED, '')).matchAll(/<([a-z][\w-]*)([^>]*)>/g)].map(
    ([, name = '', attributes = '']) =>
      `${name} ${(/ class="([^"]*)"/.exec(attributes)?.[1] ?? '').replaceAll(PAINT, '')}`.trim(),
  )
}

/** Removes the tags around each sample. */
function unwrapped(html: string): string {
  const start = html.indexOf(SAMPLE)
  if (start === -1) return html
  const end = endOf(html, start)
  const inside = html.slice(html.indexOf('>', start) + 1, end - '</div>'.length)
  return unwrapped(html.slice(0, start) + inside + html.slice(end))
}

/** Where the `div` that begins at `start` ends. */
function endOf(html: string, start: number): number {
  let depth = 0
  for (const { 0: tag, index } of html.slice(start).matchAll(/<div\b|<\/div>/g)) {
    depth += tag === '</div>' ? -1 : 1
    if (depth === 0) return start + index + tag.length
  }
  throw new Error('a sample does not end')
}
