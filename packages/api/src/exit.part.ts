import { definePart } from './part.ts'

export const exitPart = definePart({
  routes: {},
  /** The vault has paid the account, which leaves. */
  entryKinds: ['exit'],
})
