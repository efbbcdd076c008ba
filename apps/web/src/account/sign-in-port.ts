/**
 * How any part of the app asks for a sign-in without knowing the session feature, which provides it.
 */
let flow: () => Promise<boolean> = async () => false

/** Called once at start by the session feature's owner, the app. */
export function provideSignIn(signIn: () => Promise<boolean>): void {
  flow = signIn
}

/** Starts the sign-in flow, or joins the one under way. @returns whether the user is signed in at its end. */
export function requestSignIn(): Promise<boolean> {
  return flow()
}
