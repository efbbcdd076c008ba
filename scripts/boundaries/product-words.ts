import { childrenOf, isTestCode, type ParsedSource, type SyntaxNode } from './sources.ts'

/** The server's platform knows no product: none of its files, names, texts and comments has one of these words. */
const PLATFORM = 'apps/server/src/platform/'
const PRODUCT_WORDS = new Set(
  ['lend', 'lending', 'loan', 'pledge', 'rank', 'star', 'member'].flatMap((word) => [word, `${word}s`]),
)
for (const word of ['box', 'boxes', 'rich']) PRODUCT_WORDS.add(word)

/** Words of the product in the platform: in the path of a file, and in its names, texts and comments. */
export function productWordsIn({ path, program, comments }: ParsedSource): {
  readonly word: string
  readonly offset: number
}[] {
  if (!path.startsWith(PLATFORM) || isTestCode(path)) return []
  const found = wordsOf(path.slice(PLATFORM.length), 0)
  const visit = (node: SyntaxNode) => {
    found.push(...wordsOf(textOf(node), node.start))
    childrenOf(node).forEach(visit)
  }
  visit(program)
  found.push(...comments.flatMap(({ value, start }) => wordsOf(value, start)))
  // The parser has a name of `{ a }` twice: as the key and as the variable.
  return [...new Map(found.map((each) => [`${each.offset} ${each.word}`, each])).values()]
}

/** The product's words in a text. Each part of `camelCase`, `snake_case` and `kebab-case` is a word. */
function wordsOf(text: string, offset: number): { word: string; offset: number }[] {
  const words = text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []
  const known = words.map((word) => word.toLowerCase()).filter((word) => PRODUCT_WORDS.has(word))
  return known.map((word) => ({ word, offset }))
}

/** The text of a name, a literal, or a piece of a template between its holes. */
function textOf(node: SyntaxNode): string {
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return node.name as string
  if (node.type === 'TemplateElement') return (node.value as { raw: string }).raw
  if (node.type !== 'Literal') return ''
  return typeof node.value === 'string' ? node.value : (node.raw as string)
}
