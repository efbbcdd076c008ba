import { ENTRY_KINDS } from '@clearwell/api/entry-kinds'
import { NOTICE_KINDS } from '@clearwell/api/notice-kinds'
import { routes } from '@clearwell/api/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FEATURES, featuresOf } from './features.ts'
import { endExact, startTestServer, type TestServer } from './testing/server.ts'

describe('the list of features', () => {
  test('serves every route of the table exactly once', () => {
    const served = featuresOf('local').flatMap((feature) => Object.keys(feature.routes))
    expect([...served, 'commandOutcome', 'config'].toSorted()).toEqual(Object.keys(routes).toSorted())
  })

  test('writes every kind of entry that users see, each in one feature', () => {
    const written = FEATURES.flatMap(({ logKinds = [] }) => logKinds)
    expect(written.toSorted()).toEqual(ENTRY_KINDS.toSorted())
  })

  test('sends every kind of notice, each from one feature', () => {
    const sent = FEATURES.flatMap(({ notices = [] }) => notices)
    expect(sent.toSorted()).toEqual(Object.keys(NOTICE_KINDS).toSorted())
  })

  test('the local controls exist in the local profile only', () => {
    const names = (profile: Parameters<typeof featuresOf>[0]) => featuresOf(profile).map(({ name }) => name)
    expect(names('local')).toContain('local')
    expect(names('staging')).not.toContain('local')
    expect(names('production')).toEqual(FEATURES.map(({ name }) => name))
  })
})

describe('a running server', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  }, 60_000)
  afterAll(() => endExact(server))

  test('names the open features of the product, without the local controls', async () => {
    const { features } = await server.ok('config', {})
    expect(features.toSorted()).toEqual(FEATURES.map(({ name }) => name).toSorted())
  })
})
