import type { WalletChoice } from '../../wallet/wallet-choices.ts'

export const CHOICE: WalletChoice = { uid: '', name: 'Browser wallet', icon: undefined, kind: 'announced' }

/** As long as a text of Sign-In with Ethereum. */
export const SIGN_IN_TEXT = [
  'example.org wants you to sign in with your Ethereum account:',
  `0x${'11'.repeat(20)}`,
  '',
  'Sign in. This costs nothing and moves no money.',
  '',
  'URI: https://example.org',
  'Version: 1',
  'Chain ID: 31337',
  'Nonce: 0123456789abcdef',
  'Issued At: 2030-01-01T00:00:00.000Z',
].join('\n')
