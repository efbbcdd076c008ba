import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'oxc-parser'
import { type Fault, isTestCode, lineAt, readSources, type Source, type SyntaxNode } from './boundaries/sources.ts'

/**
 * Finds words that the project avoids, because readers stumble over them, in the texts of the app, the documentation,
 * comments and test titles. Each word comes with the plain one. Also finds test titles that are too long.
 */

interface Word {
  readonly pattern: RegExp
  readonly instead: string
}

/** Checked everywhere. */
const AVOIDED: readonly Word[] = [
  { pattern: /\b(by|of) (itself|themselves)\b/i, instead: 'automatically, alone' },
  { pattern: /\bat once\b/i, instead: 'immediately, at a time' },
  { pattern: /\bunder way\b/i, instead: 'in progress' },
  { pattern: /\banew\b/i, instead: 'again, new' },
  { pattern: /\b(told|tells? of)\b/i, instead: 'notified, reported' },
  { pattern: /\b(hold|holds|held) (\S+ ){0,4}against\b/i, instead: 'compare with' },
  { pattern: /\b(it|that|which|who|what|there|price|pool|amount|balance|order) stands\b/i, instead: 'is' },
  { pattern: /\b(whoever|whatever|nobody)\b/i, instead: 'the name of the actor or the thing' },
  { pattern: /(?<!\bof )\bcourses?\b/i, instead: 'price, chart' },
  { pattern: /(?<!['’])\bill\b/i, instead: 'faulty, unhealthy' },
  { pattern: /\ball the same\b/i, instead: 'still, anyway' },
  { pattern: /\bof its own\b/i, instead: 'its own, separate' },
  { pattern: /\blapse[sd]?\b/i, instead: 'expire' },
  { pattern: /\bgoodbye\b/i, instead: 'end' },
  { pattern: /\bthe way\b/i, instead: 'the name of the steps, the function or the obstacle' },
  {
    pattern: /\b(day|pool)s? (is|are|was|were|has been|have been) divided\b/i,
    instead: 'the pool is shared, rewards are paid',
  },
  { pattern: /\bpass(es|ed)? on\b(?! (this|that|each|the|a|your) (day|device))/i, instead: 'moves to, forwards' },
  {
    pattern: /\bbox(es)? of (the day(?!’s)|its day|today|yesterday|\{\w+\})/i,
    instead: 'the day’s boxes, the box for a day',
  },
  {
    pattern: /\b(commitment|pool|power) of (today|yesterday|the day)\b(?![’'])|\btime of the block\b/i,
    instead: 'today’s pool, block time',
  },
  { pattern: /(剛好|知道了|末日|金庫|無須|帳簿|您)/, instead: 'the term of the glossary' },
]

/** Checked in comments. Rule 9 of the guide: a comment names its subject instead of opening with a clause. */
const AVOIDED_IN_COMMENTS: readonly Word[] = [
  { pattern: /(?<=^\*\s*)(What|Whether|Who|Whose|That)\b/, instead: 'a noun or a verb first' },
  { pattern: /(?<=^\s*)(What|Who|Whose)\b/, instead: 'a noun or a verb first' },
  { pattern: /(?<=^\*\s*)Answers\b/, instead: 'Returns, Responds' },
]

/** Checked in test titles: a title names its subject, so that it reads without its `describe`. */
const AVOIDED_IN_TITLES: readonly Word[] = [
  { pattern: /(?<=^\s*)(That|What|Who|Whose)\b/i, instead: 'the subject first' },
]

/** Most words of a test title outside e2e, whose titles quote rows of the specification. */
const MAX_TITLE_WORDS = 12

/** Checked in the texts of the app only, because code and documentation use these words as terms. */
const AVOIDED_IN_APP: readonly Word[] = [
  { pattern: /\banswer(s|ed)?\b/i, instead: 'response' },
  { pattern: /\brefuse[sd]?\b/i, instead: 'reject' },
]

/** Checked everywhere else, where "refuse" is a term for servers and contracts but not for people. */
const AVOIDED_OUTSIDE_APP: readonly Word[] = [
  { pattern: /\b(users?|you|person|people|they) (\w+ )?refuse[sd]?\b/i, instead: 'reject' },
]

/** Pages whose words are not ours to change: the specification and what is generated from it. */
const QUOTATIONS = new Set(['docs/reference/specification.md', 'docs/reference/conformance.md'])

/** Names that contain an avoided word, such as those of stored columns. They are not read. */
const NAMES = /`[^`]*`/g

/** Finds every avoided word in the pages, app texts and sources below `root`. */
export function checkLanguage(root: string): Fault[] {
  const read = (path: string): Source => ({ path, text: readFileSync(join(root, path), 'utf8') })
  const skipped = (path: string) =>
    /(^|\/)(node_modules|generated|dist|out|cache|\.\w[^/]*)$/.test(path) && path !== '.github'
  const find = (pattern: string) => globSync(pattern, { cwd: root, exclude: skipped }).toSorted().map(read)
  return [
    ...find('**/*.md')
      .filter(({ path }) => !QUOTATIONS.has(path))
      .flatMap(faultsOfPage),
    ...find('{apps/web,packages/ui,exit-kit}/src/**/*.messages.*.json').flatMap(faultsOfTexts),
    ...find('apps/web/content/**/*.json').flatMap(faultsOfTexts),
    ...find('vault/**/*.sol').flatMap(faultsOfContract),
    ...readSources(root).flatMap(faultsOfSource),
  ]
}

export function faultsOfPage({ path, text }: Source): Fault[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, (code) => code.replace(/[^\n]/g, ' '))
  return avoidedIn(prose, [...AVOIDED, ...AVOIDED_OUTSIDE_APP]).map((found) => faultAt({ path, text }, found))
}

export function faultsOfTexts({ path, text }: Source): Fault[] {
  const values = text.replace(/"[\w$]+"\s*:/g, (key) => ' '.repeat(key.length))
  return avoidedIn(values, [...AVOIDED, ...AVOIDED_IN_APP]).map((found) => faultAt({ path, text }, found))
}

/** Comments of a Solidity file. */
export function faultsOfContract({ path, text }: Source): Fault[] {
  const blank = (code: string) => code.replace(/[^\n]/g, ' ')
  const comments = text.replace(/"[^"\n]*"|(\/\/.*|\/\*[\s\S]*?\*\/)|[^\s"/]+|\//g, (part, comment) =>
    comment === undefined ? blank(part) : part,
  )
  return avoidedIn(comments, [...AVOIDED, ...AVOIDED_OUTSIDE_APP]).map((found) => faultAt({ path, text }, found))
}

/** Comments, and in tests the titles. */
export function faultsOfSource(source: Source): Fault[] {
  const { comments, program } = parseSync(source.path, source.text)
  const titles = isTestCode(source.path) ? titlesIn(program, source.text) : []
  const find = ({ value, start }: Title, words: readonly Word[]) =>
    avoidedIn(value, words).map(({ offset, ...found }) => faultAt(source, { ...found, offset: start + offset }))
  return [
    ...comments.flatMap(({ value, start }) =>
      find({ value, start: start + 2 }, [...AVOIDED, ...AVOIDED_OUTSIDE_APP, ...AVOIDED_IN_COMMENTS]),
    ),
    ...titles.flatMap((title) => find(title, [...AVOIDED, ...AVOIDED_OUTSIDE_APP, ...AVOIDED_IN_TITLES])),
    ...(source.path.startsWith('e2e/') ? [] : titles)
      .filter(({ value }) => wordsOf(value) > MAX_TITLE_WORDS)
      .map(({ value, start }) => ({
        ...positionIn(source, start),
        message: `has a title of ${wordsOf(value)} words; write ${MAX_TITLE_WORDS} at most`,
      })),
  ]
}

/** Counts words without the references to the specification, such as `(§4, §5)`. */
function wordsOf(title: string): number {
  const words = title.replace(/[([]§[^)\]]*[)\]]/g, '').match(/\S*[\w%]\S*/g)
  return words?.length ?? 0
}

interface Title {
  readonly value: string
  readonly start: number
}

const TITLED = new Set(['test', 'it', 'describe'])

function titlesIn(node: unknown, text: string): Title[] {
  if (typeof node !== 'object' || node === null) return []
  const within = Object.values(node).flatMap((child) => titlesIn(child, text))
  const { type, callee, arguments: [first] = [] } = node as SyntaxNode & { arguments?: SyntaxNode[] }
  const isText = first?.type === 'TemplateLiteral' || typeof first?.['value'] === 'string'
  if (type !== 'CallExpression' || !first || !isText || !TITLED.has(calledName(callee as SyntaxNode))) return within
  return [{ value: text.slice(first.start + 1, first.end - 1), start: first.start + 1 }, ...within]
}

/** Returns `test` of `test(…)`, `test.skip(…)` and `test.each(…)(…)`. */
function calledName(callee: SyntaxNode): string {
  const inner = callee['callee'] ?? callee['object'] ?? callee['tag']
  return inner ? calledName(inner as SyntaxNode) : String(callee['name'])
}

interface Found {
  readonly word: string
  readonly instead: string
  readonly offset: number
}

function avoidedIn(text: string, words: readonly Word[]): Found[] {
  const blank = (part: string) => ' '.repeat(part.length)
  // An expression may continue on the next line, also of a comment.
  const prose = text.replace(NAMES, blank).replace(/\n[ \t]*(\*|\/\/)?/g, blank)
  return words.flatMap(({ pattern, instead }) =>
    [...prose.matchAll(new RegExp(pattern.source.replaceAll(' ', '\\s+'), `${pattern.flags}g`))].map(
      ({ 0: word, index }) => ({
        word: word.replace(/\s+/g, ' '),
        instead,
        offset: index,
      }),
    ),
  )
}

function faultAt(source: Source, { word, instead, offset }: Found): Fault {
  return { ...positionIn(source, offset), message: `says "${word}"; write ${instead}` }
}

function positionIn({ path, text }: Source, offset: number): Pick<Fault, 'path' | 'line'> {
  return { path: posix.normalize(path), line: lineAt(text, offset) }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const faults = checkLanguage(join(import.meta.dirname, '..'))
  for (const { path, line, message } of faults) console.error(`${path}:${line} ${message}`)
  console.log(`${faults.length} faults of language`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
