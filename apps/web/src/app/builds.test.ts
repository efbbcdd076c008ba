import { beforeEach, expect, test } from 'vitest'
import { blockReloadWhile } from '../browser/page-reload.ts'
import { type BuildPage, followBuilds } from './builds.ts'

let files: Record<string, unknown>
let asked: string[]
let reloads: number
let reloadedFor: string | undefined
let seen: boolean
let online: boolean
let navigate: (pathChanged?: boolean) => void
let poll: () => void
let show: () => void

const page: BuildPage = {
  ownId: () => 'one',
  fetchJson: async (path) => {
    asked.push(path)
    if (files[path] === undefined) throw new Error('404')
    return files[path]
  },
  isSeen: () => seen,
  isOnline: () => online,
  everyMs: (ms, run) => {
    expect(ms).toBe(60_000)
    poll = run
  },
  onSeen: (run) => {
    show = run
  },
  reloadedFor: () => reloadedFor,
  rememberReload: (id) => {
    reloadedFor = id
  },
  reload: () => {
    reloads += 1
  },
}
const router = {
  history: { flush: () => {} },
  subscribe: (event: string, listener: (event: { pathChanged: boolean }) => void) => {
    expect(event).toBe('onBeforeLoad')
    navigate = (pathChanged = true) => listener({ pathChanged })
  },
}
const settled = () => new Promise((resolve) => setImmediate(resolve))
const publish = (id: string) => {
  files = { '/builds/latest.json': { id, builtAt: '' }, [`/builds/meta/${id}.json`]: { id, builtAt: '' } }
}

beforeEach(() => {
  asked = []
  reloads = 0
  reloadedFor = undefined
  seen = true
  online = true
  publish('one')
  followBuilds(router as never, page)
})

test('navigation does not reload the newest build', async () => {
  poll()
  await settled()
  navigate()
  expect(reloads).toBe(0)
  expect(asked).toEqual(['/builds/latest.json'])
})

test('a newer build is loaded at the next navigation, not before', { tags: ['§7.41'] }, async () => {
  publish('two')
  poll()
  await settled()
  expect(asked).toEqual(['/builds/latest.json', '/builds/meta/two.json'])
  expect(reloads).toBe(0)
  navigate(false)
  expect(reloads).toBe(0)
  navigate()
  expect(reloads).toBe(1)
})

test('signing and paying prevent a reload', async () => {
  publish('two')
  poll()
  await settled()
  let finish = () => {}
  const work = blockReloadWhile(
    new Promise<void>((resolve) => {
      finish = resolve
    }),
  )
  navigate()
  expect(reloads).toBe(0)
  finish()
  await work
  navigate()
  expect(reloads).toBe(1)
})

test('a build that is not all there yet is not loaded', async () => {
  publish('two')
  delete files['/builds/meta/two.json']
  poll()
  await settled()
  navigate()
  expect(reloads).toBe(0)
})

test('a hidden page checks for a new build once it is visible', async () => {
  publish('two')
  seen = false
  poll()
  expect(asked).toEqual([])
  seen = true
  show()
  await settled()
  navigate()
  expect(reloads).toBe(1)
})

test('offline nothing is reloaded: the old build still works', async () => {
  publish('two')
  poll()
  await settled()
  online = false
  navigate()
  expect(reloads).toBe(0)
})

test('a failed request is not a newer build', async () => {
  files = {}
  poll()
  await settled()
  navigate()
  expect(reloads).toBe(0)
})

test('a server that still serves the old page causes one reload', async () => {
  publish('two')
  poll()
  await settled()
  navigate()
  followBuilds(router as never, page)
  poll()
  await settled()
  navigate()
  expect(reloads).toBe(1)
  publish('three')
  poll()
  await settled()
  navigate()
  expect(reloads).toBe(2)
})
