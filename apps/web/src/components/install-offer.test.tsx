import { text } from 'node:stream/consumers'
import { prerenderToNodeStream } from 'react-dom/static'
import { beforeEach, expect, test, vi } from 'vitest'
import { installPromptStore, keepInstallPrompt, wasOffered } from '../browser/install-prompt.ts'
import { m } from '../generated/messages.ts'
import { InstallOffer } from './install-offer.tsx'

beforeEach(() => {
  installPromptStore.set(undefined)
  wasOffered.set(undefined)
})

const shown = async () => {
  const html = await text((await prerenderToNodeStream(<InstallOffer />)).prelude)
  return html
    .replace(/<svg.*?<\/svg>/g, '')
    .split(/<[^>]*>/)
    .filter((part) => part !== '')
}

test('the offer appears where the browser can install the app, and once', async () => {
  expect(await shown()).toEqual([])
  installPromptStore.set({ prompt: async () => {} })
  expect(await shown()).toEqual([m.install_title(), m.install_text(), m.install_later(), m.install_action()])
  wasOffered.set('yes')
  expect(await shown()).toEqual([])
})

test('the prompt of the browser is kept until the app is installed', () => {
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  keepInstallPrompt()
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt: async () => {} })
  page.dispatchEvent(event)
  expect([event.defaultPrevented, installPromptStore.get()]).toEqual([true, event])
  page.dispatchEvent(new Event('appinstalled'))
  expect(installPromptStore.get()).toBeUndefined()
})
