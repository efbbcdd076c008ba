import { createStore } from '../../browser/store.ts'

/** Where the sign-in stands; `undefined` while there is none. The sheet shows it. */
export type SignInStage =
  | { readonly at: 'choose' }
  | {
      readonly at: 'connecting'
      readonly uid: string
      readonly name: string
      /** On another device: what to show as a QR code, once it is there. */
      readonly pairing?: { readonly uri: string | undefined }
    }
  | { readonly at: 'preparing' }
  | { readonly at: 'read'; readonly address: string; readonly text: string; readonly error?: string }
  | { readonly at: 'signing'; readonly address: string; readonly text: string }
  | { readonly at: 'failed'; readonly error: string }

export const signInStore = createStore<SignInStage | undefined>(undefined)
