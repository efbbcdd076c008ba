import { expect, test } from 'vitest'
import { exitConfig, publishExits } from './exit.config.ts'

const CANARY = `0x${'AB'.repeat(20)}`

test('the canary is published in lower case', () => {
  const config = { env: { vaultKind: 'exits' }, exit: { canary: CANARY } } as Parameters<typeof publishExits>[0]
  expect(publishExits(config)).toEqual({ vault_exits: true, canary: CANARY.toLowerCase() })
})

test('a vault without exits has no canary', () => {
  const faults: string[] = []
  const check = (vaultKind: string) =>
    exitConfig.check?.({ exit: { canary: CANARY } }, (fault) => faults.push(fault) as never, {
      vaultKind,
    } as Parameters<NonNullable<typeof exitConfig.check>>[2])
  check('exits')
  expect(faults).toEqual([])
  check('plain')
  expect(faults).toEqual(['exit.canary needs a vault with exits: VAULT_KIND=exits'])
})
