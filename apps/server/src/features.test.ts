import { NOTICE_KINDS } from '@clearwell/api/notice-kinds'
import { ENTRY_KINDS } from '@clearwell/api/parts'
import { routes } from '@clearwell/api/routes'
import { describe, expect, test } from 'vitest'
import type { Profile } from './config/environment.ts'
import { FEATURES, featuresOf } from './features.ts'
import { loadConfig } from './load-config.ts'
import { defineFeature, type People } from './platform/feature.ts'
import { startServer } from './server.ts'

const people: People = {
  feature: defineFeature({
    name: 'people',
    about: { en: '', 'zh-HK': '' },
    routes: {},
    open: () => ({ handlers: {} }),
  }),
  operatorAccounts: [],
}

describe('the list of features', () => {
  test('serves every route of the table exactly once', () => {
    const served = featuresOf('local').flatMap((feature) => Object.keys(feature.routes))
    // The last one is served by simulated people, which demo/ adds.
    expect([...served, 'commandOutcome', 'config', 'localSeed', 'ruleChanges'].toSorted()).toEqual(
      Object.keys(routes).toSorted(),
    )
  })

  test('writes every kind of entry that users see, each in one feature', () => {
    const written = FEATURES.flatMap(({ logKinds = [] }) => logKinds)
    expect(written.toSorted()).toEqual(ENTRY_KINDS.toSorted())
  })

  test('sends every kind of notice, each from one feature', () => {
    const sent = FEATURES.flatMap(({ notices = [] }) => notices)
    expect(sent.toSorted()).toEqual(Object.keys(NOTICE_KINDS).toSorted())
  })

  test('local controls and simulated people exist in the local profile only', () => {
    const names = (profile: Profile) => featuresOf(profile, people).map(({ name }) => name)
    const product = FEATURES.map(({ name }) => name)
    expect(names('local')).toEqual(['people', 'local', ...product])
    expect(names('staging')).toEqual(product)
    expect(names('production')).toEqual(product)
  })

  test('a server outside the local profile starts no simulated people', async () => {
    const config = await loadConfig({})
    const production = { ...config, env: { ...config.env, profile: 'production' as const } }
    const starting = startServer(production, { people: () => people })
    await expect(starting).rejects.toThrow('Simulated people exist in the local profile only.')
  })
})
