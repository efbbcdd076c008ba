import { createStore } from '../../browser/store.ts'

/** The stage of the sign-in, which the sheet shows; `undefined` while there is none. */
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
