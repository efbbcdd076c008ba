import { expect, test } from 'vitest'
import { linkUid, renameUid } from './link-uid.ts'
import { collectRt, depositRt, takeBackRt } from './move-rt.ts'
import { approveUpgrade, requestUpgrade } from './request-upgrade.ts'
import { richConfig, richRules } from './rich.config.ts'
import { stepDown } from './step-down.ts'
import { rt } from './testing/rich-ledger.ts'

const rules = richRules({ rich: richConfig.shape.rich.parse(undefined) })
const by = { userId: 'alice', parentId: null, uid: '123456', name: 'Alice', requestId: 'r1', key: 'key' }

/** Commands that move RT need a proof of the ledger that is not old. */
const MOVES = undefined
// Stored responses are found by these forms, so they never change.
// Each command is made within its test: mutation testing sees nothing that is made while the file loads.
test.each([
  ['deposit_rt', () => depositRt(rules, { ...by, units: rt('45.5') }), { amount: '45.5' }, MOVES],
  ['take_back_rt', () => takeBackRt(rules, by), {}, MOVES],
  ['collect_rt', () => collectRt(rules, by), {}, MOVES],
  ['link_uid', () => linkUid(rules, by), { uid: '123456', name: 'Alice' }, true],
  ['rename_uid', () => renameUid(rules, by), { name: 'Alice' }, true],
  ['request_upgrade', () => requestUpgrade(rules, by), {}, true],
  ['approve_upgrade', () => approveUpgrade(rules, by), { requestId: 'r1' }, true],
  ['step_down', () => stepDown(rules, by), {}, true],
])('%s binds its key to the input in a lasting form', (kind, make, payload, worksUnproven) => {
  const command = make()
  expect(command).toMatchObject({ kind, owner: 'alice', key: 'key' })
  expect([command.payload, command.worksUnproven, command.worksStopped]).toEqual([payload, worksUnproven, undefined])
})
