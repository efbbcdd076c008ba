/** Messages between a test and the server that it kills. The server's configuration comes by the environment, as always. */
export type ToServer =
  /** Counts its steps from here on, and kills the process at this one, if any. */
  { readonly kind: 'arm'; readonly killAt: string | undefined } | { readonly kind: 'facts' }

/** @typeParam Facts everything that the test checks after each start. */
export type FromServer<Facts> = Ready | { readonly kind: 'armed' } | ({ readonly kind: 'facts' } & Facts)

export interface Ready {
  readonly kind: 'ready'
  readonly url: string
  readonly vault: string
}
