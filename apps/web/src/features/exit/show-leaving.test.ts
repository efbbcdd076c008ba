import { messageStore } from '@clearwell/ui/components/toast-store.ts'
import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { queryClient } from '../../api/query-client.ts'
import { NO_EXIT } from './exit.samples.ts'
import { showLeaving } from './show-leaving.ts'

beforeEach(() => showLocale('en'))
afterEach(() => {
  showLocale('zh-HK')
  queryClient.clear()
  messageStore.set(undefined)
})

test.each([
  [{ ...NO_EXIT, state: 'ready' }, 'No funds moved. The vault is ready to pay. You can finish or cancel the exit.'],
  [NO_EXIT, 'No funds moved. The exit’s page says what still works.'],
])('a rejected command is explained by the exit %#', (exit, text) => {
  queryClient.setQueryData(['proofExit', {}], exit)
  showLeaving(new ApiError(20016, 'This account is leaving', null))
  expect(messageStore.get()).toEqual({
    title: 'This account is leaving',
    text,
    link: { path: '/en/wallet/exit', label: 'See the exit' },
  })
})

test('an account that owes an advance is not said to leave', () => {
  queryClient.setQueryData(['proofExit', {}], NO_EXIT)
  showLeaving(new ApiError(20016, 'This account owes an advance.', { reason: 'advance_owed' }))
  expect(messageStore.get()).toMatchObject({
    title: 'Advance to give back',
    text: 'No funds moved. This account owes an advance.',
  })
})
