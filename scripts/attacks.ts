import {
  childrenOf,
  type Fault,
  isTestCode,
  lineAt,
  literal,
  nameOf,
  parse,
  type Source,
  type SyntaxNode,
} from './boundaries/sources.ts'

/**
 * Reads the attacks that tests try, from the tags `@attack` and `@holds` in the comment above each test. The page
 * docs/reference/attacks.md derives from them.
 */

export interface Attack {
  /** `S` for a finding of the review, `R` for one of the review of the rules, `A` for further ones. */
  readonly id: string
  readonly attack: string
  readonly holds: string
  readonly path: string
  readonly title: string
}

/** Findings of the review: each has at least one test, or is listed as missing. */
const FINDINGS = Array.from({ length: 23 }, (_, index) => `S${String(index + 1).padStart(2, '0')}`)
const MAX_CHARACTERS = 160
const TAG = /@(attack|holds)\b[ \t]*(.*)/g
const ORDER = 'SRA'

/** Reads every attack in these sources, sorted, and the faults of their tags. */
export function readAttacks(sources: readonly Source[]): { attacks: Attack[]; faults: Fault[] } {
  const read = sources
    .filter(({ path, text }) => isTestCode(path) && /^\s*(\/\*)?\*+ *@(attack|holds)\b/m.test(text))
    .map(attacksIn)
  const attacks = read.flatMap((each) => each.attacks).toSorted(byId)
  return { attacks, faults: [...read.flatMap((each) => each.faults), ...repeatedIn(attacks)] }
}

export function pageOf(attacks: readonly Attack[]): string {
  const rows = attacks.map(
    ({ id, attack, holds, path, title }) =>
      `| ${id} | ${cell(attack)} | ${cell(holds)} | [${cell(title)}](../../${encodeURI(path)}) |`,
  )
  const covered = new Set(attacks.map(({ id }) => id))
  const missing = FINDINGS.filter((id) => !covered.has(id))
  return [
    '# Attacks and the tests that try them',
    '',
    'Each row is an attack that a test carries out. Read it to see which attacks were tried and what holds now.',
    'S is a finding of the security review, R of the review of the rules, A a further attack.',
    '',
    'The page is made from the tags `@attack` and `@holds` above the tests: `npx node scripts/generate-attacks.ts`.',
    '',
    '| id | attack | what holds now | test |',
    '|---|---|---|---|',
    ...rows,
    ...(missing.length === 0 ? [] : ['', '## Without a test yet', '', ...missing.map((id) => `- ${id}`)]),
    '',
  ].join('\n')
}

const cell = (text: string) => text.replaceAll('|', '\\|')

function byId(a: Attack, b: Attack): number {
  const place = ({ id, path }: Attack) => `${ORDER.indexOf(id.charAt(0))} ${id} ${path}`
  return place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0
}

function repeatedIn(attacks: readonly Attack[]): Fault[] {
  const seen = new Set<string>()
  return attacks.flatMap(({ id, attack, path }) => {
    const key = `${id} ${attack}`
    const isRepeated = seen.has(key)
    seen.add(key)
    return isRepeated ? [{ path, line: 1, message: `repeats the attack "${key}"; each is described once` }] : []
  })
}

function attacksIn(source: Source): { attacks: Attack[]; faults: Fault[] } {
  const titles = new Map<number, string>()
  const { program, comments } = parse(source)
  collectTitles(program, source.text, titles)
  const attacks: Attack[] = []
  const faults: Fault[] = []
  for (const { value, start, end } of comments) {
    const tags = [...value.matchAll(TAG)].filter(({ index }) => /(^|\n)[\s*]*$/.test(value.slice(0, index)))
    if (tags.length === 0) continue
    const fault = (message: string) =>
      void faults.push({ path: source.path, line: lineAt(source.text, start), message })
    const title = titles.get(end + (source.text.slice(end).match(/^\s*/)?.[0].length ?? 0))
    if (title === undefined) fault('has @attack or @holds that is not directly above a test')
    for (let at = 0; at < tags.length; at += 2) {
      const [attack, holds] = [tags[at], tags[at + 1]]
      const [, id, words] = /^([SRA]\d\d) (\S.*)$/.exec(attack?.[2]?.trim() ?? '') ?? []
      const held = holds?.[2]?.trim()
      if (attack?.[1] !== 'attack' || holds?.[1] !== 'holds' || !held) fault('needs @attack and then @holds, in pairs')
      else if (!id || !words || (id.startsWith('S') && !FINDINGS.includes(id)))
        fault('has an @attack without an id from S01 to S23, R01… or A01…')
      else if (Math.max(words.length, held.length) > MAX_CHARACTERS)
        fault(`has a tag of more than ${MAX_CHARACTERS} characters`)
      else if (title !== undefined) attacks.push({ id, attack: words, holds: held, path: source.path, title })
    }
  }
  return { attacks, faults }
}

const TESTS = /^(test|it)(\.\w+)*$/

/** Finds where each call of a test begins, with its title. */
function collectTitles(node: SyntaxNode, text: string, titles: Map<number, string>): void {
  if (node.type === 'CallExpression') {
    const [first] = node['arguments'] as SyntaxNode[]
    const isTest = TESTS.test(nameOf(calledIn(node)) ?? '')
    const isText = first?.type === 'TemplateLiteral' || literal(first) !== undefined
    if (isTest && isText && first) titles.set(node.start, literal(first) ?? text.slice(first.start + 1, first.end - 1))
  }
  for (const child of childrenOf(node)) collectTitles(child, text, titles)
}

/** Returns `test` of `test(…)` and `test.each` of `test.each(…)(…)`. */
function calledIn(node: SyntaxNode): SyntaxNode {
  const callee = (node['callee'] ?? node['tag']) as SyntaxNode
  return callee.type === 'CallExpression' || callee.type === 'TaggedTemplateExpression' ? calledIn(callee) : callee
}
