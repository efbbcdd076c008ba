import { expect, test } from 'vitest'
import { faultsOfContract, faultsOfPage, faultsOfSource, faultsOfTexts } from './check-language.ts'

const linesOf = (faults: readonly { line: number; message: string }[]) => faults.map(({ line }) => line)

test('finds avoided words in prose, but not in code of a page', () => {
  const text = 'It works.\n\nUsers are told.\n\n```\necho told\n```\n\nThe column `lapsed_at` is kept.\n'
  expect(faultsOfPage({ path: 'a.md', text })).toEqual([
    { path: 'a.md', line: 3, message: 'says "told"; write notified, reported' },
  ])
})

test('finds avoided words in both languages, but not in keys', () => {
  const text = '{\n  "told_title": "Notified",\n  "a": "It comes back by itself",\n  "b": "金庫"\n}'
  expect(linesOf(faultsOfTexts({ path: 'a.messages.en.json', text }))).toEqual([3, 4])
})

test('finds words that only the texts of the app avoid', () => {
  expect(faultsOfTexts({ path: 'a.messages.en.json', text: '{"a": "You refused"}' })).toHaveLength(1)
  expect(faultsOfPage({ path: 'a.md', text: 'The vault refuses it.' })).toEqual([])
})

test('finds avoided words in comments and test titles, but not in code', () => {
  const text = `// It is told.\nconst told = 'told'\ntest('is told', () => {})\ntest.each([1])('%i at once', () => {})\n`
  expect(linesOf(faultsOfSource({ path: 'a.ts', text }))).toEqual([1])
  expect(linesOf(faultsOfSource({ path: 'a.test.ts', text }))).toEqual([1, 3, 4])
})

test('finds avoided words in comments of a contract, not its code', () => {
  const text = '/// @notice Users are told.\nstring constant TOLD = "told"; // It is told.\n/* told */\n'
  expect(linesOf(faultsOfContract({ path: 'a.sol', text }))).toEqual([1, 2, 3])
})

test('finds comments that open with a clause, not a noun', () => {
  const opening = (comment: string) => linesOf(faultsOfSource({ path: 'a.ts', text: `${comment}\nconst a = 1\n` }))
  for (const comment of ['/** What it is. */', '/**\n * Whether it is. */', '/** Answers it. */', '// Who it is.']) {
    expect(opening(comment)).toHaveLength(1)
  }
  expect(opening('/** Returns whether it is. */')).toEqual([])
  expect(opening('// That is why.')).toEqual([])
})

test('finds titles that do not name their subject', () => {
  const text = "\ntest('that is missing is named', () => {})\ntest('a missing file is reported', () => {})\n"
  expect(linesOf(faultsOfSource({ path: 'a.test.ts', text }))).toEqual([2])
})

test('finds a title of more than twelve words, without its section', () => {
  const titled = (title: string) => `test.each(TABLE)('${title}', () => {})`
  const twelve = 'a b c d e f g h i j k %s'
  const faultsIn = (path: string, title: string) => faultsOfSource({ path, text: titled(title) })
  expect(faultsIn('a.test.ts', `${twelve} (§4, §5)`)).toEqual([])
  expect(faultsIn('a.test.ts', `${twelve} m`)).toMatchObject([{ line: 1 }])
  expect(faultsIn('e2e/a.test.ts', `${twelve} m`)).toEqual([])
})

test('finds terms of the guide only where they are not terms', () => {
  const text = (words: string) => ({ path: 'a.md', text: words })
  expect(faultsOfPage(text('The user refused. The course rose. The node is ill.'))).toHaveLength(3)
  expect(faultsOfPage(text("The vault refused, of course. I'll wait."))).toEqual([])
})

test('finds an avoided word that is broken over two lines', () => {
  expect(linesOf(faultsOfPage({ path: 'a.md', text: 'It moves by\nitself.' }))).toEqual([1])
})

test('finds the genitive dialect of the newer screens', () => {
  const page = (text: string) => faultsOfPage({ path: 'a.md', text })
  for (const text of [
    'It opens when the day is divided.',
    'The request passes on.',
    'All boxes of the day count.',
    'See the commitment of today.',
    'The time of the block before.',
  ])
    expect(page(text)).toHaveLength(1)
  const plain =
    'It opens once the pool is shared. The request moves to the next approver. The day’s boxes count. A star passed on this day.'
  expect(page(plain)).toEqual([])
})
