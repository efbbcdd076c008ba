import { createStore } from '@clearwell/ui/browser/store.ts'

interface SigningError {
  /** The specification's text. */
  readonly text: string
  /** The reason in a plain sentence. */
  readonly reason: string | undefined
}

/** The stage of the sign-in that the sheet shows; `undefined` without a sign-in. */
export type SignInStage =
  | { readonly at: 'choose' }
  | {
      readonly at: 'connecting'
      readonly uid: string
      readonly name: string
      /** For a wallet on another device: the address to show as a QR code, once known. */
      readonly pairing?: { readonly uri: string | undefined }
    }
  | { readonly at: 'preparing' }
  | { readonly at: 'read'; readonly address: string; readonly text: string; readonly error?: SigningError }
  /** `isSigned`: the wallet has signed, and the server has not responded yet. */
  | { readonly at: 'signing'; readonly address: string; readonly text: string; readonly isSigned?: true }
  | { readonly at: 'failed'; readonly error: string }

export const signInStore = createStore<SignInStage | undefined>(undefined)
