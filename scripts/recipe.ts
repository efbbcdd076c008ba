/**
 * Reads the edits of a recipe, a page of `docs/recipes`, and makes them. Two kinds of code blocks are edits; each names its
 * file after the language:
 *
 * - a block of `diff` changes a file: lines that begin with a space or a minus must stand in the file exactly once, one
 *   after the other, and the lines that begin with a space or a plus take their place; a line `…` begins another place;
 * - a block of another language creates the file.
 *
 * Blocks without a file are for readers only.
 */
export type RecipeEdit =
  | { readonly path: string; readonly create: string }
  | { readonly path: string; readonly changes: readonly { readonly before: string; readonly after: string }[] }

export function readRecipe(page: string): RecipeEdit[] {
  const blocks = [...page.matchAll(/^```(\S+) (\S+)\n([\s\S]*?)^```$/gm)]
  return blocks.map(([, language, path = '', body = '']) =>
    language === 'diff' ? { path, changes: body.split(/^…\n/m).map(changeOf) } : { path, create: body },
  )
}

/**
 * Makes one change in a file's text.
 *
 * @throws Error where the place is not in the file exactly once: the recipe is out of date.
 */
export function applyChange(text: string, { before, after }: { before: string; after: string }): string {
  const parts = text.split(before)
  if (parts.length !== 2) {
    throw new Error(`These lines are in the file ${parts.length - 1} times, and have to be once:\n${before}`)
  }
  return parts.join(after)
}

/**
 * The lines, counted from 1, where the tests that contain a part of a file begin.
 *
 * @throws Error where the part is outside all tests.
 */
export function linesOfTests(text: string, part: string): number[] {
  const start = text.indexOf(part)
  const end = start + part.length
  const begins = [...text.matchAll(/^ *test\b/gm)].map(({ index }) => index)
  const around = begins.findLast((begin) => begin <= start)
  const inside = begins.filter((begin) => begin > start && begin < end)
  const touched = around === undefined ? inside : [around, ...inside]
  if (start === -1 || touched.length === 0) throw new Error(`These lines are in no test:\n${part}`)
  return touched.map((begin) => text.slice(0, begin).split('\n').length)
}

function changeOf(hunk: string): { before: string; after: string } {
  const lines = hunk.split('\n').slice(0, -1)
  const wrong = lines.find((line) => !/^[ +-]|^$/.test(line))
  if (wrong !== undefined) throw new Error(`A line of a diff begins with a space, + or -: ${wrong}`)
  const without = (sign: string) => lines.filter((line) => !line.startsWith(sign)).map((line) => `${line.slice(1)}\n`)
  return { before: without('+').join(''), after: without('-').join('') }
}
