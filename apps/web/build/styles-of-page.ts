import postcss, { type AtRule, type ChildNode, type Root, type Rule } from 'postcss'

/** Parts of form fields, in selectors without an element. */
const FIELD_PART = /::(file-selector-button|placeholder|-webkit-(?!scrollbar))/
/** The innermost brackets of a selector, with the pseudo-class before them. */
const BRACKETS = /(:[\w-]+)?(?<!\\)\(((?:\\.|[^()\\])*)\)/
const FIELDS = ['input', 'select', 'textarea']

/**
 * Returns the part of `styles` that a page needs before its script runs: the rules whose classes and elements the page has,
 * and the variables, animations and fonts that those use. The page then loads all styles as a file, in the same order and
 * layers, so that a rule that is in both changes nothing.
 *
 * @param html the whole page, with its templates.
 */
export function stylesOfPage(html: string, styles: string): string {
  const root = postcss.parse(styles)
  const classes = new Set([...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/)))
  const elements = new Set([...html.matchAll(/<([a-z][\w-]*)/gi)].map(([, name = '']) => name))
  const hasFields = FIELDS.some((name) => elements.has(name))
  root.walkRules((rule) => {
    if (isFrame(rule)) return
    const kept = rule.selectors.filter((selector) => {
      if (FIELD_PART.test(selector)) return hasFields
      const { classNames, elementNames } = namesOf(selector)
      return classNames.every((name) => classes.has(name)) && elementNames.every((name) => elements.has(name))
    })
    if (kept.length > 0) rule.selectors = kept
    else rule.remove()
  })
  removeUnused(root)
  removeEmpty(root)
  return root.toString()
}

/**
 * The classes and elements that a page must have for `selector` to match. Alternatives, as in `:is(a, b)`, and the
 * contents of `:not()` do not count.
 */
function namesOf(selector: string): { classNames: string[]; elementNames: string[] } {
  let required = selector.replaceAll(/(?<!\\)\[[^\]]*\]/g, '')
  while (BRACKETS.test(required))
    required = required.replace(BRACKETS, (_, kind: string | undefined, inner: string) =>
      (kind === ':is' || kind === ':where') && !inner.includes(',') ? inner : '',
    )
  const classNames = [...required.matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name = '']) => name.replaceAll('\\', ''))
  const withoutClasses = required.replaceAll(/[.#:]+(?:\\.|[\w-])+/g, ' ')
  return { classNames, elementNames: withoutClasses.match(/[a-z][\w-]*/gi) ?? [] }
}

/** A step of an animation, such as `50%`. */
function isFrame({ parent }: Rule): boolean {
  return parent?.type === 'atrule' && (parent as AtRule).name === 'keyframes'
}

/** Removes variables that nothing reads, their registrations, and animations that nothing starts. */
function removeUnused(root: Root): void {
  let isStable = false
  while (!isStable) {
    isStable = true
    const read = new Set<string>()
    root.walkDecls(({ value }) => {
      for (const [, name = ''] of value.matchAll(/var\((--[\w-]+)/g)) read.add(name)
    })
    root.walkDecls(/^--/, (variable) => {
      if (read.has(variable.prop)) return
      variable.remove()
      isStable = false
    })
    root.walkAtRules('property', (rule) => {
      if (!read.has(rule.params)) rule.remove()
    })
  }
  let animations = ''
  root.walkDecls(/^(animation|animation-name|--animate-.*)$/, ({ value }) => {
    animations += ` ${value}`
  })
  root.walkAtRules('keyframes', (rule) => {
    if (!animations.includes(` ${rule.params}`)) rule.remove()
  })
}

/** Removes blocks that have become empty. The names of layers stay, because they give the layers their order. */
function removeEmpty(root: Root): void {
  const isEmpty = (node: ChildNode) =>
    (node.type === 'rule' || (node.type === 'atrule' && node.nodes !== undefined)) && node.nodes?.length === 0
  let isStable = false
  while (!isStable) {
    isStable = true
    root.walk((node) => {
      if (!isEmpty(node)) return
      node.remove()
      isStable = false
    })
  }
}
