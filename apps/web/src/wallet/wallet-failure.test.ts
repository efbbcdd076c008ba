import { expect, test } from 'vitest'
import { isUnsupported, walletFailure } from './wallet-failure.ts'

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

test.each([
  ['by its code', Object.assign(new Error('no'), { code: -32601 }), true],
  ['by another, within', new Error('x', { cause: Object.assign(new Error('no'), { code: 4200 }) }), true],
  ['in words', new Error('This device does not support typed data'), true],
  ['not by refusing', Object.assign(new Error('User rejected the request.'), { code: 4001 }), false],
  ['not by going away', new Error('The Provider is disconnected'), false],
] as const)('a wallet says that it knows no such request: %s', (_name, error, unsupported) => {
  expect(isUnsupported(error)).toBe(unsupported)
})
