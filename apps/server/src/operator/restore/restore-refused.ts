/** A restore that is not possible. Its message says why, in one sentence. */
export class RestoreRefused extends Error {}
