import { afterEach, expect, test, vi } from 'vitest'
import { copyText } from './copy-text.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A browser whose clipboard does this, and which copies a selection or not. */
function browserWith(writeText: ((text: string) => Promise<void>) | undefined, copiesSelection: boolean) {
  const selected: (string | null)[] = []
  vi.stubGlobal('navigator', writeText ? { clipboard: { writeText } } : {})
  vi.stubGlobal('getSelection', () => ({
    selectAllChildren: ({ textContent }: Node) => selected.push(textContent),
    removeAllRanges() {},
  }))
  vi.stubGlobal('document', {
    createElement: () => ({ style: {}, remove() {} }),
    body: { append() {} },
    execCommand: () => copiesSelection,
  })
  return selected
}

test('uses the clipboard where there is one', async () => {
  const write = vi.fn(async () => {})
  const selected = browserWith(write, true)
  await copyText('AB12')
  expect(write).toHaveBeenCalledWith('AB12')
  expect(selected).toEqual([])
})

test.each([
  ['is missing', undefined],
  ['is forbidden', () => Promise.reject(new Error('NotAllowedError'))],
])('copies a selection where the clipboard %s', async (_case, write) => {
  const selected = browserWith(write, true)
  await copyText('AB12')
  expect(selected).toEqual(['AB12'])
})

test('fails where nothing can be copied', async () => {
  browserWith(undefined, false)
  await expect(copyText('AB12')).rejects.toThrow()
})
