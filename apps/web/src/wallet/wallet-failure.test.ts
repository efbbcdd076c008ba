import { expect, test } from 'vitest'
import { walletFailure } from './wallet-failure.ts'

const named = (name: string, message = '', cause?: unknown) => Object.assign(new Error(message, { cause }), { name })

test.each([
  ['a refusal, however deep', new Error('x', { cause: Object.assign(new Error('y'), { code: 4001 }) }), 'refused'],
  ['too little gas by its name', named('TransactionExecutionError', '', named('InsufficientFundsError')), 'gas'],
  ['too little gas by the words of a node', new Error('insufficient funds for gas * price + value'), 'gas'],
  [
    'too little gas within an estimate that failed',
    named('EstimateGasExecutionError', 'execution reverted', new Error('Insufficient funds for gas * price + value')),
    'gas',
  ],
  [
    'a chain that the wallet does not know',
    Object.assign(new Error('Unrecognized chain ID'), { code: 4902 }),
    'network',
  ],
  ['another chain than asked', named('ChainMismatchError'), 'network'],
  ['a call that the chain would throw out', new Error('execution reverted: EnforcedPause()'), 'reverted'],
  ['a wallet that went away', new Error('The Provider is disconnected'), 'other'],
  ['no error at all', 'what', 'other'],
] as const)('%s', (_name, error, failure) => {
  expect(walletFailure(error)).toBe(failure)
})
