import { expect, test } from 'vitest'
import { exitConfig, publishExits } from './exit.config.ts'

const CANARY = `0x${'AB'.repeat(20)}`

test('the canary is published in lower case', () => {
  const published = (vaultKind: string, canary: string | null) =>
    publishExits({ env: { vaultKind }, exit: { canary } } as Parameters<typeof publishExits>[0])
  expect(published('exits', CANARY)).toEqual({ vault_exits: true, canary: CANARY.toLowerCase() })
  expect(published('plain', null)).toEqual({ vault_exits: false, canary: null })
})

test('a vault without exits has no canary', () => {
  const faults: string[] = []
  const check = (vaultKind: string, canary: string | null = CANARY) =>
    exitConfig.check?.({ exit: { canary } }, (fault) => faults.push(fault) as never, {
      vaultKind,
    } as Parameters<NonNullable<typeof exitConfig.check>>[2])
  check('exits')
  check('plain', null)
  expect(faults).toEqual([])
  check('plain')
  expect(faults).toEqual(['exit.canary needs a vault with exits: VAULT_KIND=exits'])
})
