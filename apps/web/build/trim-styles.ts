/**
 * Removes parts of Tailwind's styles that change nothing in the browsers that Tailwind supports, so that home fits into the
 * first packets of a connection: the fallback for browsers without `@property`, registrations of variables that nothing
 * sets, and comments.
 *
 * @param styles minified by Vite.
 */
export function trimStyles(styles: string): string {
  const text = withoutFallback(styles.replaceAll(/\/\*.*?\*\//gs, ''))
  return text.replaceAll(/@property (--[\w-]+)\{([^}]*)\}/g, (rule, name: string, body: string) => {
    const isSet = text.includes(`${name}:`)
    const isUsed = text.includes(`var(${name}`)
    // A variable with an initial value must keep it wherever it is read.
    return isSet || (isUsed && body.includes('initial-value')) ? rule : ''
  })
}

/** Without the layer `properties`, which Tailwind writes first. */
function withoutFallback(styles: string): string {
  const start = styles.indexOf('@layer properties{@supports')
  if (start < 0) throw new Error('build/trim-styles.ts: Tailwind writes no layer of properties')
  let depth = 0
  for (let at = styles.indexOf('{', start); at < styles.length; at++) {
    if (styles[at] === '{') depth++
    else if (styles[at] === '}' && --depth === 0) return styles.slice(0, start) + styles.slice(at + 1)
  }
  throw new Error('build/trim-styles.ts: the layer of properties has no end')
}
