import { expect, test } from 'vitest'
import { createChainAlarms } from './chain-alarms.ts'
import { ChainBehind, ChainDisagreement, ChainFault } from './chain-fault.ts'

function listened() {
  const told: unknown[] = []
  return { told, alarms: createChainAlarms((error) => told.push(error)) }
}

test('the same kind of trouble is told of once, another kind at once', () => {
  const { told, alarms } = listened()
  const first = new ChainFault('removed', 'of block 1')
  alarms.raise(first)
  alarms.raise(new ChainFault('removed', 'of block 2'))
  expect(told).toEqual([first])
  alarms.raise(new ChainFault('duplicate', 'of block 3'))
  alarms.raise(new ChainDisagreement('block', 'about 4'))
  alarms.raise(new ChainDisagreement('head', 'about 5'))
  expect(told).toHaveLength(4)
})

test('any other error is the same while it differs in numbers alone', () => {
  const { told, alarms } = listened()
  alarms.raise(new Error('no answer for block 17, 0xab'))
  alarms.raise(new Error('no answer for block 18, 0xcd'))
  alarms.raise(new Error('connection refused'))
  expect(told).toHaveLength(2)
})

test('a trouble that flaps is not told of each time; after twenty good passes it is news again', () => {
  const { told, alarms } = listened()
  for (let time = 0; time < 10; time++) {
    alarms.raise(new ChainFault('removed', `${time}`))
    alarms.passed()
  }
  expect(told).toHaveLength(1)
  for (let pass = 0; pass < 20; pass++) alarms.passed()
  alarms.raise(new ChainFault('removed', 'again'))
  expect(told).toHaveLength(2)
})

test('a node that lags for a moment is no alarm; one that stays behind is', () => {
  const { told, alarms } = listened()
  for (let time = 0; time < 19; time++) alarms.raise(new ChainBehind('no block yet'))
  alarms.passed()
  for (let time = 0; time < 19; time++) alarms.raise(new ChainBehind('no block yet'))
  expect(told).toEqual([])
  for (let time = 0; time < 10; time++) alarms.raise(new ChainBehind('no block yet'))
  expect(told).toHaveLength(1)
})
