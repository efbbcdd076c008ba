/** The states in which screens are photographed, with their captions. */
export const STATES = {
  'signed-out': 'Signed out',
  loading: 'Loading',
  error: 'Error',
  offline: 'Offline',
  empty: 'Empty',
  'not-activated': 'Not activated',
  activated: 'Activated',
  'wrong-chain': 'Wrong chain',
  success: 'Success',
} as const
export type State = keyof typeof STATES
