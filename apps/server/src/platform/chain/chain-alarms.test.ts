import { expect, test } from 'vitest'
import { createChainAlarms } from './chain-alarms.ts'
import { ChainBehind, ChainDisagreement, ChainFault } from './chain-fault.ts'

function recorded() {
  const reported: unknown[] = []
  return { reported, alarms: createChainAlarms((error) => reported.push(error)) }
}

test('chain alarms report each kind of problem once', () => {
  const { reported, alarms } = recorded()
  const first = new ChainFault('removed', 'of block 1')
  alarms.raise(first)
  alarms.raise(new ChainFault('removed', 'of block 2'))
  expect(reported).toEqual([first])
  alarms.raise(new ChainFault('duplicate', 'of block 3'))
  alarms.raise(new ChainDisagreement('block', 'about 4'))
  alarms.raise(new ChainDisagreement('head', 'about 5'))
  expect(reported).toHaveLength(4)
})

test('chain alarms treat errors that differ only in numbers as one', () => {
  const { reported, alarms } = recorded()
  alarms.raise(new Error('no answer for block 17, 0xab'))
  alarms.raise(new Error('no answer for block 18, 0xcd'))
  alarms.raise(new Error('connection refused'))
  expect(reported).toHaveLength(2)
})

test('chain alarms report a problem again after twenty good passes', () => {
  const { reported, alarms } = recorded()
  for (let time = 0; time < 10; time++) {
    alarms.raise(new ChainFault('removed', `${time}`))
    alarms.passed()
  }
  expect(reported).toHaveLength(1)
  for (let pass = 0; pass < 20; pass++) alarms.passed()
  alarms.raise(new ChainFault('removed', 'again'))
  expect(reported).toHaveLength(2)
})

test('chain alarms report a lagging node only when the lag lasts', () => {
  const { reported, alarms } = recorded()
  for (let time = 0; time < 19; time++) alarms.raise(new ChainBehind('no block yet'))
  alarms.passed()
  for (let time = 0; time < 19; time++) alarms.raise(new ChainBehind('no block yet'))
  expect(reported).toEqual([])
  for (let time = 0; time < 10; time++) alarms.raise(new ChainBehind('no block yet'))
  expect(reported).toHaveLength(1)
})
