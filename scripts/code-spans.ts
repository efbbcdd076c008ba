import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** A piece of code within a sentence of a document. */
export interface CodeSpan {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** The files of a repository, to look code spans up in. */
export interface Repository {
  /** All paths of files, from its root. */
  readonly files: readonly string[]
  /** The text of every file that is no document. */
  readonly code: string
}

/** Finds the code spans of a document that name something: those with a slash, and single identifiers. */
export function codeSpansIn(file: string, markdown: string): CodeSpan[] {
  const withoutBlocks = markdown.replaceAll(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, (block) => block.replaceAll(/[^\n]/g, ''))
  return withoutBlocks
    .split('\n')
    .flatMap((text, index) =>
      [...text.matchAll(/`([^`]+)`/g)].flatMap(([, span = '']) =>
        isName(span) ? [{ file, line: index + 1, text: span }] : [],
      ),
    )
}

/** Returns whether a span exists: as a path, as an identifier of the code, or as a text in it, such as the path of a call. */
export function exists({ file, text }: Pick<CodeSpan, 'file' | 'text'>, { files, code }: Repository): boolean {
  const name = text.replace(/\(.*\)$/, '')
  if (isIdentifier(name)) return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(code)
  if (code.includes(text)) return true
  const path = text.replace(/:\d+$/, '').replace(/\/$/, '')
  return [normalize(path), normalize(join(dirname(file), path))].some((each) => isPath(each, files))
}

function isPath(path: string, files: readonly string[]): boolean {
  const pattern = path.split(/<[^>]+>|\*+|…/).map(escaped)
  const expression = new RegExp(`^(.*/)?${pattern.join('[^/]*')}(/.*)?$`)
  return files.some((each) => expression.test(each))
}

function isName(span: string): boolean {
  if (/\s/.test(span)) return false
  if (span.includes('/')) return true
  const name = span.replace(/\(.*\)$/, '')
  return isIdentifier(name) && (name !== span || /[a-z\d][A-Z]|^[A-Z][a-z]/.test(name))
}

function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text)
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Reads a repository. @param files its files, from the root. */
export function readRepository(root: string, files: readonly string[]): Repository {
  const code = files
    .filter(
      (file) => !file.endsWith('.md') && !/\.(png|woff2|ico|json\.gz|bin)$/.test(file) && file !== 'package-lock.json',
    )
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  return { files, code }
}
