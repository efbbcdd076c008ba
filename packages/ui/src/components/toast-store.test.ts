import { beforeEach, expect, test } from 'vitest'
import { COPIED_MS, messageStore, showError, showToast, TOAST_MS, toastStore } from './toast-store.ts'

beforeEach(() => {
  toastStore.set([])
  messageStore.set(undefined)
})

test('a toast stays 2 s and the copied mark 1.5 s', () => {
  expect({ TOAST_MS, COPIED_MS }).toEqual({ TOAST_MS: 2_000, COPIED_MS: 1_500 })
})

test('toasts wait in order, even with the same text', () => {
  showToast('失敗')
  showToast('失敗')
  const [first, second] = toastStore.get()
  expect(toastStore.get().map(({ text }) => text)).toEqual(['失敗', '失敗'])
  expect(first?.id).not.toBe(second?.id)
})

test("an error of a user's action is a message, not a toast", () => {
  showError(new Error('a bug'))
  expect(messageStore.get()).toEqual({ text: '發生錯誤' })
  expect(toastStore.get()).toEqual([])
})
